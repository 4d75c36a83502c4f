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
import { DECORATIVE } from "../ui/accessibility.ts";

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
