import { Button } from "antd";
import type { RecordSource } from "#resources/record-source.ts";
import { ActionIcon } from "../../record-actions/action-buttons.tsx";
import type { RecordActions } from "../../record-actions/use-record-actions.ts";

/** What a source lets one do to the selected rows in one request. */
export function BatchButtons({ model, actions }: { model: RecordSource; actions: RecordActions }) {
  return model.batchActions?.map((action) => (
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
