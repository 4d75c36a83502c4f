import type { FormItemProps } from "antd";
import { useContext } from "react";
import type { InputPath } from "../../kinds/field-errors.ts";
import { RefusalsContext } from "../refusals.ts";

type Rules = NonNullable<FormItemProps["rules"]>;

/** For as long as an input holds a value that the server has refused, it says why. */
export function useRefusalRule(): (path: InputPath) => Rules {
  const refusals = useContext(RefusalsContext);
  return (path) => [
    {
      validator: async (_rule: unknown, value: unknown) => {
        const message = refusals?.find(path, value);
        if (message !== undefined) throw new Error(message);
      },
    },
  ];
}
