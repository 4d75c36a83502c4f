import { Alert, Modal } from "antd";
import { useTranslation } from "react-i18next";
import type { BulkPreview } from "#contract/content/bulk.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ChangesTable } from "../views/history/changes-table.tsx";
import { DependentsList } from "../views/record-actions/delete-row.tsx";
import { Refusals } from "./outcome.tsx";
import type { BulkTask, WriteOperation } from "./use-bulk.ts";

interface SamplesProps {
  source: RecordSource;
  operation: WriteOperation;
  samples: BulkPreview["samples"];
}

/** The first rows as they are and as they would be; of a deletion their names. */
function Samples({ source, operation, samples }: SamplesProps) {
  const { t } = useTranslation();
  if (samples.length === 0) return null;
  if (operation === "delete") {
    return (
      <section>
        <h3>{t("bulk.preview.goesFirst")}</h3>
        <ul className="preview-names">
          {samples.map(({ id, repr }) => (
            <li key={id}>{repr}</li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section>
      <h3>{t("bulk.preview.samples", { count: samples.length })}</h3>
      {samples.map(({ id, repr, changes }) => (
        <section key={id} className="preview-sample">
          <h4>{repr}</h4>
          <ChangesTable changes={changes} fields={source.fields} />
        </section>
      ))}
    </section>
  );
}

interface PreviewDialogProps {
  source: RecordSource;
  task: BulkTask;
  preview: BulkPreview;
  isDrifted: boolean;
  isRunning: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** How many rows, exactly or at most. */
function Count({ operation, preview }: { operation: BulkTask["operation"]; preview: BulkPreview }) {
  const { t, i18n } = useTranslation();
  const { count, count_is_estimate } = preview;
  const shown = new Intl.NumberFormat(i18n.language).format(count);
  if (count === 0) return <p className="preview-count">{t("bulk.preview.nothing")}</p>;
  return (
    <p className="preview-count">
      {count_is_estimate
        ? t(`bulk.preview.atMost.${operation}`, { count, shown })
        : t(`bulk.preview.${operation}`, { count, shown })}
    </p>
  );
}

/** What would happen, before anything does. The button that does it names the number. */
export function PreviewDialog(props: PreviewDialogProps) {
  const { source, task, preview, isDrifted, isRunning } = props;
  const { t, i18n } = useTranslation();
  const { operation } = task;
  const { count } = preview;
  const shown = new Intl.NumberFormat(i18n.language).format(count);
  const isRefused = preview.dependents.some(({ effect, count: held }) => effect === "refuse" && held > 0);
  return (
    <Modal
      open
      className="preview"
      width={760}
      title={t(`bulk.preview.title.${operation}`)}
      okText={t(`bulk.preview.confirm.${operation}`, { count, shown })}
      // A job leaves alone what is still needed; at once it is all or nothing.
      okButtonProps={{
        danger: operation === "delete",
        disabled: count === 0 || (isRefused && !preview.is_job),
      }}
      confirmLoading={isRunning}
      cancelText={t("bulk.preview.cancel")}
      cancelButtonProps={{ autoFocus: true, disabled: isRunning }}
      closable={false}
      maskClosable={!isRunning}
      keyboard={!isRunning}
      onOk={props.onConfirm}
      onCancel={props.onClose}
    >
      <div className="preview-body">
        {isDrifted && <Alert type="warning" showIcon role="alert" message={t("bulk.preview.drifted")} />}
        <Count operation={operation} preview={preview} />
        {operation === "delete" && count > 0 && (
          <Alert type="warning" showIcon message={t("bulk.deleteWarning")} />
        )}
        {preview.is_job && count > 0 && <p className="bulk-help">{t("bulk.preview.isJob")}</p>}
        <DependentsList dependents={preview.dependents} />
        {preview.refusals.length > 0 && (
          <section>
            <h3>{t("bulk.preview.refusals")}</h3>
            <Refusals refusals={preview.refusals} />
          </section>
        )}
        <Samples source={source} operation={operation} samples={preview.samples} />
      </div>
    </Modal>
  );
}
