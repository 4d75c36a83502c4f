import { Modal } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Dependents, ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { useReturnedFocus } from "../../parts/use-returned-focus.ts";
import type { DependentsQuery } from "../record-actions/delete-row.tsx";
import { useToReferring } from "./use-to-referring.ts";

const EFFECTS = ["refuse", "delete", "detach"] as const satisfies readonly Dependents["effect"][];

interface DependentsListProps {
  dependents: readonly Dependents[];
  /** The one object that is deleted: what refers to it can be listed. */
  id?: number;
}

/** What happens to the rows that refer to those which are deleted. */
export function DependentsList({ dependents, id }: DependentsListProps) {
  const { t, i18n } = useTranslation();
  const toReferring = useToReferring();
  const format = new Intl.NumberFormat(i18n.language);
  return EFFECTS.map((effect) => {
    const touched = dependents.filter((entry) => entry.effect === effect && entry.count > 0);
    if (touched.length === 0) return null;
    return (
      <section key={effect} className={effect === "refuse" ? "dependents is-refused" : "dependents"}>
        <p>{t(`delete.effect.${effect}`)}</p>
        <ul>
          {touched.map((entry) => {
            const text = t("delete.count", { kind: entry.verbose_name, shown: format.format(entry.count) });
            const address = id === undefined ? undefined : toReferring(entry, id);
            return (
              <li key={`${entry.verbose_name} ${entry.field}`}>
                {address === undefined ? text : <Link to={address}>{text}</Link>}
              </li>
            );
          })}
        </ul>
      </section>
    );
  });
}

interface DeleteDialogProps {
  model: RecordSource;
  record: ModelRecord;
  found: DependentsQuery;
  isDeleting: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Names what is deleted, and counts what goes along with it, before anything is done. */
export function DeleteDialog({ model, record, found, isDeleting, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const { query, answer } = found;
  // antd gives it back when a dialog closes; this one is gone by then, and with the focus on the page Escape closes no drawer.
  useReturnedFocus();
  return (
    <Modal
      open
      title={t("delete.title", { name: record.repr })}
      okText={t("actions.delete")}
      okButtonProps={{ danger: true, disabled: query.isLoading || answer?.is_deletable === false }}
      confirmLoading={isDeleting}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true }}
      closable={false}
      onOk={onDelete}
      onCancel={onClose}
    >
      <p>{model.texts?.deleteText ?? t("delete.text", { kind: model.verbose_name })}</p>
      <div role="status">
        {query.isLoading && <p className="select-note">{t("delete.looking")}</p>}
        {query.isError && (
          <p>
            {t("errors.loadDependents")}: {toErrorText(query.error, t)}
          </p>
        )}
        {answer && <DependentsList dependents={answer.dependents} id={record.id} />}
      </div>
    </Modal>
  );
}
