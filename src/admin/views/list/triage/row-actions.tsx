import type { TFunction } from "i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RowAction } from "#resources/record-source.ts";
import { RowButton } from "../../../parts/row-button.tsx";
import { ActionIcon } from "../../record-actions/action-buttons.tsx";

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
