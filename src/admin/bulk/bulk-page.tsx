import "../views/list/list.css";
import "../views/list/phone.css";
import "../views/form/form.css";
import "./bulk.css";
import { useInvalidate, useNotification } from "@refinedev/core";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useLocation, useNavigate } from "react-router";
import type { BulkAnswer, Job } from "#contract/content/bulk.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { JobCard } from "../jobs/job-card.tsx";
import { isUnfinished } from "../jobs/job-state.ts";
import { useJobs, useJobsCache } from "../jobs/use-jobs.ts";
import { AddressedModel } from "../model-pages/addressed-model.tsx";
import { toModelPath, useRefreshModels } from "../models/use-models.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { withId } from "../views/list/columns/columns.ts";
import { CompactBar } from "../views/list/compact-bar.tsx";
import { ListToolbar } from "../views/list/list-toolbar.tsx";
import { useListLayout } from "../views/list/rows/list-layout.tsx";
import { useRows } from "../views/list/rows/use-rows.ts";
import { useJoinFirst, useLiveRows } from "../views/live/use-live-rows.ts";
import { buildListViewParams, type ListView, toScopeKey } from "../views/state/list-view.ts";
import {
  type BulkHandOver,
  type BulkOperation,
  countSelected,
  NOTHING,
  parseHandOver,
  type SelectionState,
  useSelection,
} from "../views/state/selection.ts";
import { useListView } from "../views/state/use-list-view.ts";
import { BulkForm } from "./bulk-form.tsx";
import { BulkInfo, BulkRows } from "./bulk-rows.tsx";
import { PreviewDialog } from "./preview-dialog.tsx";
import { useBulk } from "./use-bulk.ts";

/** What is to happen above, with which objects below. */
function BulkScreen({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const [view, changeView] = useListView(source);
  const isJoined = useJoinFirst(source.topic);
  const list = useRows(source, view, changeView, isJoined);
  useLiveRows(source, list.isRefused);
  const listed = useMemo(() => withId(source), [source]);
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
    void invalidate({ resource: source.resource, invalidates: ["list", "many", "detail"] });
    refreshModels();
    state.set(NOTHING);
    setFormNumber((number) => number + 1);
  }
  const bulk = useBulk(source, onDone);
  const { step } = bulk;
  const search = buildListViewParams(view, source).toString();
  const listPath = toModelPath(source);
  return (
    <>
      <PageHeader
        title={t("bulk.title")}
        isCompact={layout.isNarrow}
        parents={[
          { label: t("nav.models"), to: "/admin/models" },
          // A list of its own, such as that of users, has another query than the model's.
          {
            label: source.verbose_name_plural,
            to: listPath === source.paths.list ? { pathname: listPath, search } : listPath,
          },
        ]}
        actions={
          <Link className="button-link" to="/admin/jobs">
            {t("jobs.all")}
          </Link>
        }
      />
      <BulkInfo source={source} selection={state.selection} list={list} />
      <JobsOfModel source={source} />
      <BulkForm
        key={formNumber}
        source={source}
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
            {...{ source: listed, view, changeView }}
            total={list.total}
            isEstimate={list.isEstimate}
          />
        ) : (
          <ListToolbar source={listed} view={view} changeView={changeView} />
        ))}
      <BulkRows source={listed} {...{ list, view, changeView, state, layout }} />
      {(step.kind === "previewed" || step.kind === "running") && (
        <PreviewDialog
          source={source}
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

/**
 * The selection, kept with the entry of the history: Back, Forward and a reload find it again. It begins with what was selected in
 * the list: a link alone, with a search or without, selects nothing.
 */
function useBulkSelection(view: ListView): {
  state: SelectionState;
  /** What the list asked for. */
  operation: BulkOperation | undefined;
} {
  const { state: given, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [handedOver] = useState(() => parseHandOver(given));
  const key = toScopeKey(view);
  const kept = parseHandOver(given);
  // An entry that was gone back to has kept its own; one that a new search has made begins with nothing.
  const own = kept?.madeIn === key ? kept.selection : NOTHING;
  const state = useSelection(key, handedOver?.selection ?? NOTHING, own);
  const { selection } = state;
  const operation = handedOver?.operation;

  const isKept = kept?.madeIn === key && JSON.stringify(kept.selection) === JSON.stringify(selection);
  useEffect(() => {
    if (isKept) return;
    const next = { selection, operation, madeIn: key } satisfies BulkHandOver;
    void navigate({ pathname, search }, { replace: true, state: next, preventScrollReset: true });
  }, [isKept, selection, operation, key, pathname, search, navigate]);

  return { state, operation };
}

/** One that has stopped is offered to be resumed for so long; after that on the page of all jobs. */
const RECENT_MS = 60 * 60 * 1000;
const SHOWN_MAX = 3;

/** Of interest here: it runs, it has ended since the screen was opened, or it can go on. */
function isShown(job: Job, openedAt: number): boolean {
  const endedAt = job.finished_at === null ? undefined : Date.parse(job.finished_at);
  if (isUnfinished(job) || endedAt === undefined) return true;
  return endedAt > openedAt || (job.is_resumable && openedAt - endedAt < RECENT_MS);
}

/** Jobs of one model, as far as they matter to who works on it now. */
function JobsOfModel({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const { watch } = useJobsCache();
  const { jobs } = useJobs();
  const [openedAt] = useState(() => Date.now());
  useEffect(watch, [watch]);
  const shown = jobs
    .filter((job) => job.content_type_id === source.content_type_id)
    .filter((job) => isShown(job, openedAt))
    .slice(0, SHOWN_MAX);
  if (shown.length === 0) return null;
  return (
    <section className="bulk-jobs" aria-label={t("jobs.ofModel")}>
      <h2>{t("jobs.ofModel")}</h2>
      <div className="jobs">
        {shown.map((job) => (
          <JobCard key={job.id} job={job} />
        ))}
      </div>
    </section>
  );
}

function draw(source: RecordSource) {
  // One object alone is edited in its form.
  if (source.is_singleton) return <Navigate to={source.paths.list} replace />;
  // Each model mounts anew: no selection or value of the one before stays.
  return <BulkScreen key={source.content_type_id} source={source} />;
}

/** `/admin/models/:contentTypeId/bulk` */
export function BulkPage() {
  const { t } = useTranslation();
  return <AddressedModel draw={draw} failed={t("errors.loadModel")} />;
}
