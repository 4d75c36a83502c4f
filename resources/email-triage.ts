import type { TFunction } from "i18next";
import type { BatchAnswer } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { FieldInfo, ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { toLiveTopic } from "#contract/content/objects.ts";
import { buildDateRangeFilter, buildDefaultDateRange } from "./date-range.ts";
import { buildFixedField } from "./field.ts";
import { toSendStopped } from "./mails.ts";
import {
  type BatchAction,
  objectPaths,
  objectsResource,
  type QuickFilter,
  type RecordSource,
  type RowAction,
} from "./record-source.ts";
import { toTimelinePath } from "./screens.ts";

/** What both lists of the e-mail triage are built of: returned mail and complaints. */
export interface TriageDeps {
  t: TFunction;
  /** Whoever sees them may sort them out; the server decides again. */
  canView: boolean;
  /**
   * Number of a content model that the person may see: of the list's own, whose export holds the same rows; of users, who own
   * rows; of what else a row leads to. Undefined: there is no such way.
   */
  findModel: (name: string) => number | undefined;
}

/** What tells the two lists apart. */
interface TriageKind {
  resource: { name: string; list: string };
  /** Name of its texts, and of the documented calls. */
  texts: "bounces" | "complaints";
  /** Name of the content model, such as `mail.bounce`. */
  model: string;
  /** Field with the moment that the rows are of. */
  moment: "bounced_at" | "complained_at";
  /** Field of the rows' type, which the list filters by. Labels are keys of the locale files. */
  type: {
    name: "bounce_type" | "feedback_type";
    choices: readonly { value: string; labelKey: string }[];
  };
  /** What the list shows first of a row, beside its address: the reason or the type. */
  lead: string;
  /** Fields of its own beside address, type and moment. */
  fields: readonly FieldInfo[];
  /** Names in the answer's `summary`. */
  cards: readonly CardName[];
  /** Rows whose address may be stopped. */
  canStop: (row: ModelRecord) => boolean;
}

type CardName = "total" | "unprocessed" | "processed" | "permanent" | "temporary" | "auto_unsubscribed";
const exact = (field: string, value: string): QueryFilter => ({ field, operator: "exact", value });

/** The documented filter by status. Its first one is what the server lists by itself: the unprocessed in front. */
const STATUS = ["current", "unprocessed", "processed", "unsubscribed"] as const;
const STATUS_FILTER: QuickFilter = {
  labelKey: "emailLists.status.label",
  options: STATUS.map((value) => ({
    labelKey: `emailLists.status.${value}`,
    filters: [exact("status", value)],
  })),
};

/** What each of them says in the words of the content model, for exports. */
const STATUS_IN_MODEL: Readonly<Record<string, readonly (readonly QueryFilter[])[]>> = {
  current: [
    [{ field: "unsubscribed_by", operator: "isnull", value: "true" }],
    [exact("unsubscribed_by", "server")],
  ],
  unprocessed: [[exact("is_processed", "false")]],
  processed: [[exact("is_processed", "true")]],
  unsubscribed: [[{ field: "unsubscribed_by", operator: "isnull", value: "false" }]],
};

const DATE_RANGE_FIELD = "date_range";
const DEFAULT_FILTERS: readonly QueryFilter[] = [
  exact("status", "current"),
  buildDefaultDateRange(DATE_RANGE_FIELD),
];

/** Ways by which the server learns of mails that went wrong (`server/models/declared/mail-event.ts`). */
const SOURCES = ["outbox", "ses", "returned", "postmark", "mailgun", "signed"] as const;

/** Fields that both have, behind their own. */
function buildCommonFields(t: TFunction, users: number | undefined): FieldInfo[] {
  const field = (name: string, part?: Partial<FieldInfo>) =>
    buildFixedField(name, t(`emailLists.fields.${name}` as "emailLists.fields.source"), part);
  const choice = <Value extends string>(
    name: string,
    values: readonly Value[],
    toLabel: (value: Value) => string,
  ) => field(name, { control: "choice", choices: values.map((value) => ({ value, label: toLabel(value) })) });
  return [
    field("mail_kind"),
    field("is_processed", { type: "BooleanField", control: "switch" }),
    choice("verdict", ["all", "optional", "ask", "none"], (value) => t(`emailLists.verdicts.${value}`)),
    choice("source", SOURCES, (value) => t(`emailLists.sources.${value}`)),
    field("feedback_id"),
    field("owner", {
      type: "ForeignKey",
      control: users === undefined ? "read-only" : "relation",
      related_model: users ?? null,
      read_only: users === undefined,
      help_text: t("emailLists.ownerHelp"),
    }),
    field("note", { type: "TextField", control: "textarea", read_only: false, max_length: 2000 }),
  ];
}

function buildFields(deps: TriageDeps, { type, moment, fields }: TriageKind): FieldInfo[] {
  const { t, findModel } = deps;
  return [
    buildFixedField("email_address", t("emailLists.fields.email_address"), {
      type: "EmailField",
      control: "email",
    }),
    buildFixedField(type.name, t(`emailLists.fields.${type.name}`), {
      control: "choice",
      choices: type.choices.map(({ value, labelKey }) => ({
        value,
        label: t(labelKey as "emailLists.errorTitle"),
      })),
    }),
    ...fields,
    buildFixedField(moment, t(`emailLists.fields.${moment}`), { type: "DateTimeField", control: "datetime" }),
    ...buildCommonFields(t, findModel("accounts.user")),
  ];
}

const isUnprocessed = ({ is_processed }: ModelRecord) => is_processed !== true;

/** No mail at all goes to the address now: what stops only some of it, or was lifted, leaves more to stop. */
const isStoppedWholly = ({ suppressed }: ModelRecord) =>
  typeof suppressed === "object" &&
  suppressed !== null &&
  "scope" in suppressed &&
  suppressed.scope === "all";

/** Marking as processed, and stopping mail to the address. */
function buildActions(
  t: TFunction,
  { texts, canStop }: TriageKind,
): { batchActions: readonly BatchAction[]; rowActions: readonly RowAction[] } {
  const api = `/api/mail/${texts}`;
  const idsName = texts === "bounces" ? "bounce_ids" : "complaint_ids";
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
    preview: { path: `${api}/batch_unsubscribe/preview/`, idsName },
    failed: t(`emailLists.${texts}.failed.unsubscribe`),
    toNext: (answer: BatchAnswer) => toSendStopped(answer, t),
  } as const;
  const batch = { idsName, max: ADMIN_LIMITS.batchRowsMax };
  return {
    batchActions: [
      {
        ...process,
        ...batch,
        label: t("emailLists.process.selected"),
        path: `${api}/batch_process/`,
        toConfirm: (count: number) => ({
          title: t("emailLists.process.title", { count }),
          text: t("emailLists.process.text"),
        }),
        preview: { path: `${api}/batch_process/preview/`, idsName },
      },
      {
        ...unsubscribe,
        ...batch,
        label: t("emailLists.unsubscribe.selected"),
        path: `${api}/batch_unsubscribe/`,
      },
    ],
    rowActions: [
      {
        ...process,
        toPath: (id) => `${api}/${id}/mark_processed/`,
        isFor: isUnprocessed,
        shortcut: { keys: "p", labelKey: "emailLists.process.label" },
      },
      {
        ...unsubscribe,
        toPath: (id) => `${api}/${id}/unsubscribe/`,
        isFor: (row) => !isStoppedWholly(row) && canStop(row),
        shortcut: { keys: "u", labelKey: "emailLists.unsubscribe.label" },
      },
    ],
  };
}

/** Screens that show more of a row: its mail, the message of a visitor that it was about, and all mails to its address. */
function buildLinks({ t, findModel }: TriageDeps, record: ModelRecord): NonNullable<RecordSource["links"]> {
  const toRecord = (label: string, model: string, id: unknown) => {
    const contentTypeId = findModel(model);
    return contentTypeId === undefined || typeof id !== "number"
      ? []
      : [{ label, to: objectPaths.edit(contentTypeId, id) }];
  };
  const { email_address: email } = record;
  return [
    ...toRecord(t("emailLists.links.message"), "mail.message", record.message),
    ...toRecord(t("emailLists.links.contactMessage"), "contact.message", record.contact_message),
    ...(typeof email === "string" && email !== ""
      ? [{ label: t("emailLists.links.timeline"), to: toTimelinePath(email) }]
      : []),
  ];
}

/** What the head of an opened record says in words of its own. */
const IN_HEAD: readonly string[] = ["reason", "is_processed"];

/** The source as one record has it: the kind of its mail in words, and where it leads. */
function toSourceOf(source: RecordSource, deps: TriageDeps, record: ModelRecord): RecordSource {
  const { mail_kind: value, mail_kind_label: label } = record;
  const isNamed = typeof value === "string" && typeof label === "string";
  const fields = source.fields
    .filter(({ name }) => !IN_HEAD.includes(name))
    .map((field) =>
      field.name === "mail_kind" && isNamed ? { ...field, choices: [{ value, label }] } : field,
    );
  return { ...source, fields, links: buildLinks(deps, record) };
}

/** A list of the e-mail triage as the generic views see it. */
export function buildTriageSource(deps: TriageDeps, kind: TriageKind): RecordSource {
  const { t, canView, findModel } = deps;
  const { texts, model, moment, type, lead } = kind;
  const { name: resource, list } = kind.resource;
  const contentTypeId = findModel(model);
  const [app_label = "", model_name = ""] = model.split(".");
  const typeFilter: QuickFilter = {
    labelKey: `emailLists.fields.${type.name}`,
    options: type.choices.map(({ value, labelKey }) => ({ labelKey, filters: [exact(type.name, value)] })),
  };
  const source: RecordSource = {
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
    list_columns: ["email_address", lead, "mail_kind", moment, "is_processed"],
    is_searchable: true,
    order_field: null,
    hidden_field: null,
    default_sort: [],
    site_path: null,
    permissions: { view: canView, create: false, update: canView, delete: false },
    fields: buildFields(deps, kind),
    resource,
    exportResource: contentTypeId === undefined ? null : objectsResource(contentTypeId),
    paths: { list, create: list, edit: (id) => `${list}/${id}`, bulk: null },
    topic: toLiveTopic(model),
    quickFilters: [STATUS_FILTER, typeFilter, buildDateRangeFilter(DATE_RANGE_FIELD)],
    defaultFilters: DEFAULT_FILTERS,
    toModelFilter: (filter) =>
      (filter.field === "status" ? STATUS_IN_MODEL[filter.value] : undefined) ?? [[filter]],
    dateRange: { field: DATE_RANGE_FIELD, moment },
    summaryCards: kind.cards.map((name) => ({ name, label: t(`emailLists.cards.${name}`) })),
    pager: "many-pages",
    hasCopies: false,
    isStepped: true,
    ...buildActions(t, kind),
    texts: {
      none: t(`emailLists.${texts}.none`),
      errorTitle: t("emailLists.errorTitle"),
      loadFailed: t(`emailLists.${texts}.failed.load`),
    },
  };
  return {
    ...source,
    ofRecord: (record) => (record ? toSourceOf(source, deps, record) : source),
  };
}
