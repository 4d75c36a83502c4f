import { CopyOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { isOpenedFromList, OPENED_FROM_LIST } from "../state/list-context.ts";
import { canCopy, toCopyAddress } from "../state/record-address.ts";
import type { Inputs } from "./form-values.ts";
import type { RecordEditor } from "./use-record-editor.ts";
import { toListSearch } from "./use-record-tab.ts";

interface DuplicateRecordProps {
  model: RecordSource;
  record: ModelRecord;
  editor: RecordEditor;
}

/** Opens the form of a new record with this one's values, and with what is typed here and not saved: saving makes a new one of it. */
export function DuplicateRecord({ model, record, editor }: DuplicateRecordProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  if (!canCopy(model)) return null;
  function duplicate(): void {
    const read = editor.inputs.read();
    const typed: Inputs = Object.fromEntries(editor.inputs.changed().map((name) => [name, read[name]]));
    // It goes along: nothing is lost that would have to be asked about.
    editor.abandon();
    const from = isOpenedFromList(state) ? OPENED_FROM_LIST : {};
    const address = toCopyAddress(model, record.id, toListSearch(search));
    void navigate(address, { replace: true, state: { ...from, typed } });
  }
  return (
    <Button
      type="text"
      className="duplicate-record"
      icon={<CopyOutlined {...DECORATIVE} />}
      disabled={editor.isSaving}
      title={t("form.duplicateHelp")}
      onClick={duplicate}
    >
      {t("form.duplicate")}
    </Button>
  );
}
