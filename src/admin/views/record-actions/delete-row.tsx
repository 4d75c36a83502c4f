import { useCustom, useDelete } from "@refinedev/core";
import { Modal } from "antd";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link, type To } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { type Dependents, dependentsAnswer } from "#contract/content/objects.ts";
import { toDependentsPath } from "#providers/refine/data.ts";
import { objectsResource, type RecordSource } from "#resources/record-source.ts";
import { toModelPath, useModels, useRefreshModels } from "../../models/use-models.ts";
import { useReturnedFocus } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { useOneAtATime } from "../../ui/timing.ts";
import { buildListViewParams, EMPTY_VIEW } from "../state/list-view.ts";

/** What a deletion would take along, as the server counts it now. */
function useDependents(source: RecordSource, record: ModelRecord) {
  const { query } = useCustom({
    url: toDependentsPath(objectsResource(source.content_type_id), record.id),
    method: "get",
    queryOptions: {
      staleTime: 0,
      gcTime: 0,
      // A kind of records without a model of its own can't be asked about.
      enabled: source.content_type_id > 0,
      select: ({ data }) => ({ data: dependentsAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, answer: dependentsAnswer.safeParse(query.data?.data).data };
}

type DependentsQuery = ReturnType<typeof useDependents>;

/** Address of the list of those rows that refer to an object; undefined where there is none. */
function useToReferring(): (entry: Dependents, id: number) => To | undefined {
  const { models } = useModels();
  return useCallback(
    ({ content_type_id, field }, id) => {
      const source = models.find((known) => known.content_type_id === content_type_id);
      // Screens of their own, such as the users', have other filters.
      if (!source || field === undefined || toModelPath(source) !== source.paths.list) return undefined;
      const filters = [{ field, operator: "exact", value: String(id) }] as const;
      return {
        pathname: source.paths.list,
        search: buildListViewParams({ ...EMPTY_VIEW, filters }, source).toString(),
      };
    },
    [models],
  );
}

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
  source: RecordSource;
  record: ModelRecord;
  found: DependentsQuery;
  isDeleting: boolean;
  onDelete: () => void;
  onClose: () => void;
}

/** Names what is deleted, and counts what goes along with it, before anything is done. */
function DeleteDialog({ source, record, found, isDeleting, onDelete, onClose }: DeleteDialogProps) {
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
      <p>{source.texts?.deleteText ?? t("delete.text", { kind: source.verbose_name })}</p>
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

interface DeleteRowProps {
  source: RecordSource;
  record: ModelRecord;
  onClose: () => void;
  /** It is gone; called after `onClose`. */
  onDeleted?: () => void;
}

/** Asks, naming the object and what goes along, and deletes it. */
export function DeleteRow({ source, record, onClose, onDeleted }: DeleteRowProps) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useDelete();
  const refreshModels = useRefreshModels();
  const found = useDependents(source, record);
  const { id, repr } = record;

  async function remove(): Promise<void> {
    let isDeleted = false;
    try {
      await mutateAsync({
        resource: source.resource,
        id,
        successNotification: { type: "success", message: t("delete.done", { name: repr }) },
        errorNotification: (error) => ({
          type: "error",
          message: source.texts?.deleteFailed ?? t("errors.delete"),
          description: toErrorText(error, t),
        }),
      });
      isDeleted = true;
      refreshModels();
    } catch {
      // The notice above has said so; the dialog closes and the row stays.
    }
    onClose();
    if (isDeleted) onDeleted?.();
  }

  const start = useOneAtATime(remove);
  return (
    <DeleteDialog
      source={source}
      record={record}
      found={found}
      isDeleting={mutation.isPending}
      onDelete={start}
      onClose={onClose}
    />
  );
}
