import { DeleteOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { DeleteRow } from "../list/delete-row.tsx";
import type { RecordEditor } from "./use-record-editor.ts";

interface DeleteRecordProps {
  model: RecordSource;
  record: ModelRecord;
  editor: RecordEditor;
  onDeleted: () => void;
}

/** Deletes the open record, after the same question as in its list. */
export function DeleteRecord({ model, record, editor, onDeleted }: DeleteRecordProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (!model.permissions.delete) return null;
  return (
    <>
      <Button
        danger
        type="text"
        className="delete-record"
        icon={<DeleteOutlined {...DECORATIVE} />}
        onClick={() => setAsking(true)}
      >
        {t("actions.delete")}
      </Button>
      {isAsking && (
        <DeleteRow
          model={model}
          record={record}
          onClose={() => setAsking(false)}
          onDeleted={() => {
            // Nothing asks about what was typed into a record that is gone.
            editor.abandon();
            onDeleted();
          }}
        />
      )}
    </>
  );
}
