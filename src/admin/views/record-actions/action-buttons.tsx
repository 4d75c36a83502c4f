import { CheckOutlined, RedoOutlined, StopOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { TFunction } from "i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { ActionIconName, RecordSource, RowAction } from "#resources/record-source.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { RowButton } from "../../ui/row-button.tsx";
import type { RecordActions } from "./use-record-actions.ts";

const ICONS = { check: CheckOutlined, stop: StopOutlined, send: RedoOutlined } as const satisfies Record<
  ActionIconName,
  unknown
>;

export function ActionIcon({ name }: { name: ActionIconName }) {
  const Icon = ICONS[name];
  return <Icon {...DECORATIVE} />;
}

interface SourceActionsProps {
  actions: readonly RowAction[];
  record: ModelRecord;
  onAct: ((action: RowAction, record: ModelRecord) => void) | undefined;
  t: TFunction;
}

/** What a source lets one do to one of its rows. */
export function SourceActions({ actions, record, onAct, t }: SourceActionsProps) {
  return (
    <span className="row-actions">
      {actions
        .filter(({ isFor }) => isFor?.(record) ?? true)
        .map((action) => (
          <RowButton
            key={action.key}
            icon={<ActionIcon name={action.icon} />}
            label={t("list.batch.ofRow", { action: action.label, name: record.repr })}
            danger={action.isDanger === true}
            onClick={() => onAct?.(action, record)}
          />
        ))}
    </span>
  );
}

/** What a source lets one do to the selected rows in one request. */
export function BatchButtons({ source, actions }: { source: RecordSource; actions: RecordActions }) {
  return source.batchActions?.map((action) => (
    <Button
      key={action.key}
      icon={<ActionIcon name={action.icon} />}
      danger={action.isDanger === true}
      loading={actions.isUnderWay(action.path)}
      onClick={() => actions.runBatch(action)}
    >
      {action.label}
    </Button>
  ));
}
