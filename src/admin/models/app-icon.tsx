import {
  AudioOutlined,
  AuditOutlined,
  DatabaseOutlined,
  FileTextOutlined,
  GlobalOutlined,
  IdcardOutlined,
  MailOutlined,
  MessageOutlined,
  TeamOutlined,
} from "@ant-design/icons";
import type { ComponentType } from "react";
import { DECORATIVE } from "../ui/accessibility.ts";

const ICONS: Readonly<Record<string, ComponentType<{ className?: string }>>> = {
  accounts: TeamOutlined,
  audit: AuditOutlined,
  contact: MessageOutlined,
  cv: IdcardOutlined,
  files: FileTextOutlined,
  mail: MailOutlined,
  site: GlobalOutlined,
  voice: AudioOutlined,
};

/** One picture for all models of an app: cards of the same app are found together at a glance. */
export function AppIcon({ app, className }: { app: string; className: string }) {
  const Icon = ICONS[app] ?? DatabaseOutlined;
  return <Icon {...DECORATIVE} className={className} />;
}
