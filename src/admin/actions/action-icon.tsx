import {
  DeleteOutlined,
  EditOutlined,
  EyeOutlined,
  ImportOutlined,
  LogoutOutlined,
  PlusOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import type { ActionEntry } from "#contract/admin-users.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

const ACTION_ICONS = {
  CREATE: PlusOutlined,
  UPDATE: EditOutlined,
  DELETE: DeleteOutlined,
  VIEW: EyeOutlined,
  // LoginOutlined holds a style element, which the content security policy refuses.
  LOGIN: ImportOutlined,
  LOGOUT: LogoutOutlined,
} as const;

/** Details that somebody should look at. */
const ALARMING: ReadonlySet<string> = new Set([
  "failed_code",
  "failed_confirmation",
  "failed_sign_in",
  "insufficient_permissions",
  "token_reuse",
  "too_many_confirmations",
  "too_many_sign_ins",
]);

/** The kind of action as an icon, in its colour; a warning where something was refused. */
export function ActionIcon({ entry: { action_type, detail } }: { entry: ActionEntry }) {
  const isAlarming = detail !== null && ALARMING.has(detail);
  const Icon = isAlarming ? WarningOutlined : ACTION_ICONS[action_type];
  return <Icon {...DECORATIVE} className="action-icon" data-kind={isAlarming ? "alarm" : action_type} />;
}
