import {
  AuditOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  HeartOutlined,
  InboxOutlined,
  LineChartOutlined,
  MailOutlined,
  SafetyOutlined,
  SettingOutlined,
  TeamOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useGetIdentity, useResourceParams } from "@refinedev/core";
import type { ParseKeys } from "i18next";
import { useMemo } from "react";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { findModelKey } from "#providers/refine/permissions.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

/** Only a site in development has the mailbox, and its console comes from Vite: a build says false here, and drops the screen. */
export const HAS_MAILBOX = import.meta.env?.DEV !== false;

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

const SCREEN_ICONS = {
  dashboard: DashboardOutlined,
  users: TeamOutlined,
  "access-levels": SafetyOutlined,
  models: DatabaseOutlined,
  actions: AuditOutlined,
  health: HeartOutlined,
  settings: SettingOutlined,
  mailbox: MailOutlined,
  "email-monitoring": LineChartOutlined,
  "email-bounces": InboxOutlined,
  "email-complaints": WarningOutlined,
} as const;

function isKnown(name: string): name is keyof typeof SCREEN_ICONS {
  return Object.hasOwn(SCREEN_ICONS, name);
}

/** The icon that a resource names. */
export function ScreenIcon({ name }: { name: string }) {
  if (!isKnown(name)) return null;
  const Icon = SCREEN_ICONS[name];
  return <Icon {...DECORATIVE} />;
}

/** Second key of `g …`, by resource; the same in both languages, as the addresses are. */
const GO_TO_LETTERS: Readonly<Record<string, string>> = {
  dashboard: "d",
  users: "u",
  "access-levels": "l",
  models: "m",
  actions: "a",
  health: "h",
  settings: "s",
  mailbox: "b",
  "email-monitoring": "e",
  "email-bounces": "r",
  "email-complaints": "c",
};

/** Keys that lead to a resource's screen; undefined where there are none. */
export function findGoToKeys(resource: string): string | undefined {
  const letter = GO_TO_LETTERS[resource];
  return letter && `g ${letter}`;
}
