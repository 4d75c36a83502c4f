import { CheckOutlined, RedoOutlined, StopOutlined } from "@ant-design/icons";
import type { ActionIconName } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";

const ICONS = { check: CheckOutlined, stop: StopOutlined, send: RedoOutlined } as const satisfies Record<
  ActionIconName,
  unknown
>;

export function ActionIcon({ name }: { name: ActionIconName }) {
  const Icon = ICONS[name];
  return <Icon {...DECORATIVE} />;
}
