import { Form, type FormItemProps } from "antd";
import { type ComponentType, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type InputPath, RefusalsContext } from "./field-errors.ts";

export interface ControlProps {
  field: FieldInfo;
  model: RecordSource;
}

/**
 * One kind of form control. `toInput` turns a value of the wire into what the inputs hold (never undefined, so that they stay
 * controlled); `toWire` turns that back, null for what is empty. A field changed when its input changed.
 */
export interface ControlDefinition {
  Control: ComponentType<ControlProps>;
  toInput(value: unknown): unknown;
  toWire(input: unknown, field: FieldInfo): unknown;
}

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

interface FieldItemProps extends Pick<FormItemProps, "children" | "valuePropName"> {
  field: FieldInfo;
  rules?: Rules;
  /** How to write a value of this kind, after the field's own help. */
  hint?: string;
}

/** The rules that every control of one input shares. The server checks all of it again. */
function useFieldRules(field: FieldInfo): Rules {
  const { t } = useTranslation();
  const rules: Rules = [];
  if (field.required) rules.push({ required: true, message: t("form.required") });
  return rules;
}

/** Longest text in characters, as a rule and not as a limit of the input: pasted text must not be cut in silence. */
export function useLengthRule(field: FieldInfo): Rules {
  const { t } = useTranslation();
  const max = field.max_length;
  if (max === null) return [];
  return [{ max, message: t("form.tooLong", { count: max }) }];
}

/** Label, input, help and errors of a field with one input. */
export function FieldItem({ field, rules = [], hint, children, ...item }: FieldItemProps) {
  const shared = useFieldRules(field);
  const toRefusalRule = useRefusalRule();
  return (
    <Form.Item
      name={[field.name]}
      label={field.verbose_name}
      extra={[field.help_text, hint].filter(Boolean).join(" ") || null}
      rules={[...shared, ...rules, ...toRefusalRule([field.name])]}
      {...item}
    >
      {children}
    </Form.Item>
  );
}
