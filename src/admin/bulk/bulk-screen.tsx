import "../views/list/list.css";
import "../views/list/phone.css";
import "../views/form/form.css";
import "./bulk.css";
import { useInvalidate, useNotification } from "@refinedev/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { BulkAnswer } from "#contract/bulk.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useJobsCache } from "../jobs/use-jobs.ts";
import { PageHeader } from "../layout/page-header.tsx";
import { toModelPath } from "../models/model-address.ts";
import { useRefreshModels } from "../models/use-models.ts";
import { CompactBar } from "../views/list/compact-bar.tsx";
import { ListToolbar } from "../views/list/list-toolbar.tsx";
import { useListLayout } from "../views/list/rows/list-layout.tsx";
import { useLiveRows } from "../views/list/use-live-rows.ts";
import { useRows } from "../views/list/use-rows.ts";
import { withId } from "../views/list/with-id.ts";
import { useJoinFirst } from "../views/live/use-live-rows.ts";
import { buildListViewParams } from "../views/state/list-view.ts";
import { countSelected, NOTHING } from "../views/state/selection.ts";
import { useListView } from "../views/state/use-list-view.ts";
import { BulkForm } from "./bulk-form.tsx";
import { BulkInfo } from "./bulk-info.tsx";
import { BulkRows } from "./bulk-rows.tsx";
import { JobsOfModel } from "./jobs-of-model.tsx";
import { PreviewDialog } from "./preview-dialog.tsx";
import { useBulk } from "./use-bulk.ts";
import { useBulkSelection } from "./use-bulk-selection.ts";

/** What is to happen above, with which objects below. */
export function BulkScreen({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  const [view, changeView] = useListView(model);
  const isJoined = useJoinFirst(model.topic);
  const list = useRows(model, view, changeView, isJoined);
  useLiveRows(model, list.isRefused);
  const listed = useMemo(() => withId(model), [model]);
  const layout = useListLayout();
  const { state, operation } = useBulkSelection(view);
  // Another number mounts the form anew: empty.
  const [formNumber, setFormNumber] = useState(0);
  const invalidate = useInvalidate();
  const refreshModels = useRefreshModels();
  const { put } = useJobsCache();
  const { open } = useNotification();

  function onDone(answer?: BulkAnswer): void {
    if (answer?.job) {
      put(answer.job);
      open?.({ key: `job-${answer.job.id}`, type: "success", message: answer.message });
    }
    void invalidate({ resource: model.resource, invalidates: ["list", "many", "detail"] });
    refreshModels();
    state.set(NOTHING);
    setFormNumber((number) => number + 1);
  }
  const bulk = useBulk(model, onDone);
  const { step } = bulk;
  const search = buildListViewParams(view, model).toString();
  const listPath = toModelPath(model);
  return (
    <>
      <PageHeader
        title={t("bulk.title")}
        isCompact={layout.isNarrow}
        parents={[
          { label: t("nav.models"), to: "/admin/models" },
          // A list of its own, such as that of users, has another query than the model's.
          {
            label: model.verbose_name_plural,
            to: listPath === model.paths.list ? { pathname: listPath, search } : listPath,
          },
        ]}
        actions={
          <Link className="button-link" to="/admin/jobs">
            {t("jobs.all")}
          </Link>
        }
      />
      <BulkInfo model={model} selection={state.selection} list={list} />
      <JobsOfModel model={model} />
      <BulkForm
        key={formNumber}
        model={model}
        isAnew={formNumber > 0}
        firstOperation={formNumber === 0 ? operation : undefined}
        selection={state.selection}
        selectedCount={countSelected(state.selection, list.total)}
        view={view}
        isBusy={step.kind !== "idle"}
        outcome={bulk.outcome}
        onSubmit={(task) => void bulk.preview(task)}
        onExported={() => onDone()}
        onReset={() => {
          bulk.forgetOutcome();
          setFormNumber(formNumber + 1);
        }}
      />
      {!list.isRefused &&
        (layout.isNarrow ? (
          <CompactBar
            {...{ model: listed, view, changeView }}
            total={list.total}
            isEstimate={list.isEstimate}
          />
        ) : (
          <ListToolbar model={listed} view={view} changeView={changeView} />
        ))}
      <BulkRows model={listed} {...{ list, view, changeView, state, layout }} />
      {(step.kind === "previewed" || step.kind === "running") && (
        <PreviewDialog
          model={model}
          task={step.task}
          preview={step.preview}
          isDrifted={step.isDrifted}
          isRunning={step.kind === "running"}
          onConfirm={() => void bulk.confirm()}
          onClose={bulk.close}
        />
      )}
    </>
  );
}
