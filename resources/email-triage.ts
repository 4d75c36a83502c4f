import type { TFunction } from "i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { toLiveTopic } from "#contract/live.ts";
import type { FieldInfo, ModelRecord, QueryFilter } from "#contract/models.ts";
import { buildDateRangeFilter, buildDefaultDateRange } from "./date-range.ts";
import { buildField } from "./field.ts";
import { objectsResource } from "./objects.ts";
import type { BatchAction, DateRange, QuickFilter, RecordSource, RowAction } from "./record-source.ts";

/** What both lists of the e-mail triage are built of: returned mail and complaints. */
export interface TriageParts {
  t: TFunction;
  /** Whoever sees them may sort them out; the server decides again. */
  canView: boolean;
  /** Of the content model behind the list, whose export holds the same rows; undefined where it isn't known. */
  contentTypeId: number | undefined;
  /** Of users, who own rows; undefined: owners can't be chosen. */
  userContentTypeId: number | undefined;
}

/** What the two lists call their things. */
interface TriageKind {
  /** Name of the Refine resource and of its texts. */
  resource: string;
  texts: "bounces" | "complaints";
  /** Name of the content model, such as `mail.bounce`. */
  model: string;
  list: string;
  /** Of the documented calls, without a slash at its end. */
  api: string;
  idsName: string;
  /** Field with the moment that the rows are of. */
  moment: string;
  columns: readonly string[];
}

const FIXED = { type: "CharField", control: "text", sortable: false, read_only: true } as const;

/** A text that the server alone writes. */
export function buildFixedField(
  name: string,
  verbose_name: string,
  part: Partial<FieldInfo> = {},
): FieldInfo {
  return buildField({ ...FIXED, name, verbose_name, ...part });
}

const processed = (value: boolean): QueryFilter => ({
  field: "is_processed",
  operator: "exact",
  value: String(value),
});

/** The documented filter by status. */
const STATUS_FILTER: QuickFilter = {
  labelKey: "emailLists.status.label",
  options: [
    { labelKey: "emailLists.status.unprocessed", filters: [processed(false)] },
    { labelKey: "emailLists.status.processed", filters: [processed(true)] },
  ],
};

const DATE_RANGE_FIELD = "date_range";
/** A list begins with what is still to be done, of the last 30 days. */
const DEFAULT_FILTERS: readonly QueryFilter[] = [processed(false), buildDefaultDateRange(DATE_RANGE_FIELD)];

/** Fields that both have, behind their own. */
function buildCommonFields(t: TFunction, userContentTypeId: number | undefined): FieldInfo[] {
  const field = (name: string, part?: Partial<FieldInfo>) =>
    buildFixedField(name, t(`emailLists.fields.${name}` as "emailLists.fields.source"), part);
  return [
    field("mail_kind"),
    field("is_processed", { type: "BooleanField", control: "switch" }),
    field("unsubscribed_by", {
      control: "choice",
      choices: (["staff", "server"] as const).map((value) => ({
        value,
        label: t(`emailLists.unsubscribedBy.${value}`),
      })),
    }),
    field("message", { type: "IntegerField", control: "number" }),
    field("contact_message", { type: "IntegerField", control: "number" }),
    field("feedback_id"),
    field("source"),
    field("owner", {
      type: "ForeignKey",
      control: userContentTypeId === undefined ? "read-only" : "relation",
      related_model: userContentTypeId ?? null,
      read_only: userContentTypeId === undefined,
    }),
    field("note", { type: "TextField", control: "textarea", read_only: false, max_length: 2000 }),
  ];
}

const isUnprocessed = ({ is_processed }: ModelRecord) => is_processed !== true;

interface TriageActions {
  batchActions: readonly BatchAction[];
  rowActions: readonly RowAction[];
}

/** Marking as processed, and stopping mail to the address; `canStop`: rows whose address may be stopped. */
function buildActions(t: TFunction, kind: TriageKind, canStop: (row: ModelRecord) => boolean): TriageActions {
  const { api, idsName, texts } = kind;
  const process = {
    key: "process",
    label: t("emailLists.process.label"),
    icon: "check",
    failed: t(`emailLists.${texts}.failed.process`),
  } as const;
  const unsubscribe = {
    key: "unsubscribe",
    label: t("emailLists.unsubscribe.label"),
    icon: "stop",
    isDanger: true,
    toConfirm: (count: number) => ({
      title: t("emailLists.unsubscribe.title", { count }),
      text: t("emailLists.unsubscribe.text"),
    }),
    failed: t(`emailLists.${texts}.failed.unsubscribe`),
  } as const;
  const batch = { idsName, max: ADMIN_LIMITS.batchRowsMax };
  return {
    batchActions: [
      { ...process, ...batch, path: `${api}/batch_process/` },
      {
        ...unsubscribe,
        ...batch,
        path: `${api}/batch_unsubscribe/`,
        previewPath: `${api}/batch_unsubscribe/preview/`,
      },
    ],
    rowActions: [
      { ...process, toPath: (id) => `${api}/${id}/mark_processed/`, isFor: isUnprocessed },
      {
        ...unsubscribe,
        toPath: (id) => `${api}/${id}/unsubscribe/`,
        isFor: (row) => row.unsubscribed_by === null && canStop(row),
      },
    ],
  };
}

interface TriageOwn {
  /** Fields of the kind itself, in front of the common ones. */
  fields: readonly FieldInfo[];
  typeFilter: QuickFilter;
  /** Cards by their names in the answer's `summary`. */
  summaryCards: NonNullable<RecordSource["summaryCards"]>;
  canStop: (row: ModelRecord) => boolean;
}

/** A list of the e-mail triage as the generic views see it. */
export function buildTriageSource(parts: TriageParts, kind: TriageKind, own: TriageOwn): RecordSource {
  const { t, canView, contentTypeId, userContentTypeId } = parts;
  const { list, texts, model } = kind;
  const [app_label = "", model_name = ""] = model.split(".");
  const dateRange: DateRange = { field: DATE_RANGE_FIELD, moment: kind.moment };
  return {
    content_type_id: contentTypeId ?? 0,
    app_label,
    model_name,
    verbose_name: t(`emailLists.${texts}.one`),
    verbose_name_plural: t(`emailLists.${texts}.title`),
    description: t(`emailLists.${texts}.intro`),
    count: 0,
    count_is_estimate: false,
    has_timestamps: false,
    is_singleton: false,
    is_large: false,
    list_columns: [...kind.columns],
    is_searchable: false,
    order_field: null,
    hidden_field: null,
    default_sort: [],
    site_path: null,
    permissions: { view: canView, create: false, update: canView, delete: false },
    fields: [...own.fields, ...buildCommonFields(t, userContentTypeId)],
    resource: kind.resource,
    exportResource: contentTypeId === undefined ? null : objectsResource(contentTypeId),
    paths: { list, create: list, edit: (id) => `${list}/${id}`, bulk: null },
    topic: toLiveTopic(model),
    quickFilters: [STATUS_FILTER, own.typeFilter, buildDateRangeFilter(DATE_RANGE_FIELD)],
    defaultFilters: DEFAULT_FILTERS,
    dateRange,
    summaryCards: own.summaryCards,
    pager: "many-pages",
    hasCopies: false,
    isStepped: true,
    ...buildActions(t, kind, own.canStop),
    texts: {
      none: t(`emailLists.${texts}.none`),
      errorTitle: t("emailLists.errorTitle"),
      loadFailed: t(`emailLists.${texts}.failed.load`),
    },
  };
}
