import { useGetIdentity, useResourceParams } from "@refinedev/core";
import type { ParseKeys } from "i18next";
import { useMemo } from "react";
import type { AccountUser } from "#contract/accounts.ts";
import { findModelKey } from "#providers/access-control.ts";
import { useServices } from "../services.ts";

/** A screen of the sidebar. */
export interface Screen {
  /** Of its resource. */
  name: string;
  to: string;
  labelKey: ParseKeys;
  icon: string;
}

/** Every resource that has a list, and that the person's level and permissions open. */
export function useScreens(): readonly Screen[] {
  const { resources } = useResourceParams();
  const { permissions } = useServices();
  const { data: user } = useGetIdentity<AccountUser>();
  const level = user?.access_level ?? 0;
  return useMemo(() => {
    const isOpen = (name: string, needed: unknown) => {
      const model = findModelKey(name);
      return (
        (typeof needed !== "number" || needed <= level) &&
        (model === undefined || permissions.can("view", model))
      );
    };
    return resources.flatMap(({ name, list, meta }) =>
      typeof list === "string" && isOpen(name, meta?.level)
        ? // Resources are data and name their text by key; locales.test.ts knows which keys there are.
          [{ name, to: list, labelKey: meta?.labelKey as ParseKeys, icon: String(meta?.icon) }]
        : [],
    );
  }, [resources, permissions, level]);
}
