import {
  AuditOutlined,
  DashboardOutlined,
  DatabaseOutlined,
  HeartOutlined,
  ImportOutlined,
  InboxOutlined,
  LineChartOutlined,
  MailOutlined,
  SafetyOutlined,
  SettingOutlined,
  TeamOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useGetIdentity } from "@refinedev/core";
import type { ParseKeys } from "i18next";
import { useMemo } from "react";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { findModelKey } from "#providers/refine/permissions.ts";
import { RESOURCES } from "#resources/all.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

/** Only a site in development has the mailbox, and its console comes from Vite: a build says false here, and drops the screen. */
export const HAS_MAILBOX = import.meta.env?.DEV !== false;

const SCREEN_ICONS = {
  dashboard: DashboardOutlined,
  users: TeamOutlined,
  "access-levels": SafetyOutlined,
  models: DatabaseOutlined,
  import: ImportOutlined,
  actions: AuditOutlined,
  health: HeartOutlined,
  settings: SettingOutlined,
  mailbox: MailOutlined,
  "email-monitoring": LineChartOutlined,
  "email-bounces": InboxOutlined,
  "email-complaints": WarningOutlined,
} as const;

export type ScreenIconName = keyof typeof SCREEN_ICONS;

export function isScreenIcon(name: string): name is ScreenIconName {
  return Object.hasOwn(SCREEN_ICONS, name);
}

/** The icon that a resource names. */
export function ScreenIcon({ name }: { name: ScreenIconName }) {
  const Icon = SCREEN_ICONS[name];
  return <Icon {...DECORATIVE} />;
}

/** A screen of the sidebar. */
export interface Screen {
  /** Of its resource. */
  name: string;
  to: string;
  labelKey: ParseKeys;
  icon: ScreenIconName;
  /** Keys that lead to it. */
  keys: string;
  /** Lowest level that sees its entry. */
  level: number;
}

/** Resources are data and name text and icon by key: one that isn't there doesn't compile here. */
const SCREENS: readonly Screen[] = RESOURCES.filter(({ name }) => HAS_MAILBOX || name !== "mailbox").map(
  ({ name, list, meta }) => ({
    name,
    to: list,
    labelKey: meta.labelKey,
    icon: meta.icon,
    keys: `g ${meta.goTo}`,
    level: "level" in meta ? meta.level : 0,
  }),
);

/** Every screen that the person's level and permissions open. */
export function useScreens(): readonly Screen[] {
  const { permissions } = useServices();
  const { data: user } = useGetIdentity<AccountUser>();
  const userLevel = user?.access_level ?? 0;
  return useMemo(
    () =>
      SCREENS.filter(({ name, level }) => {
        const model = findModelKey(name);
        return level <= userLevel && (model === undefined || permissions.can("view", model));
      }),
    [permissions, userLevel],
  );
}
