import type { BatchAnswer } from "#contract/content/bulk.ts";
import type { FieldInfo, ModelInfo, ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { toLiveTopic } from "#contract/content/objects.ts";

/**
 * Refine name of one model's objects. Each model is a resource of its own, so that caches, invalidation and live topics
 * never mix two models.
 */
export function objectsResource(contentTypeId: number): string {
  return `models/${contentTypeId}/objects`;
}

/** Addresses of the generic screens of one model, without a query. */
export const objectPaths = {
  list: (contentTypeId: number) => `/admin/models/${contentTypeId}`,
  create: (contentTypeId: number) => `/admin/models/${contentTypeId}/objects/new`,
  edit: (contentTypeId: number, objectId: number) => `/admin/models/${contentTypeId}/objects/${objectId}`,
  bulk: (contentTypeId: number) => `/admin/models/${contentTypeId}/bulk`,
} as const;

/** Topic on which writes to a model's objects are published. */
function objectsTopic({ app_label, model_name }: Pick<ModelInfo, "app_label" | "model_name">): string {
  return toLiveTopic(`${app_label}.${model_name}`);
}

/** A choice above a list that stands for filters: `Active` is `is_staff` exact `true`. Texts are keys of the locale files. */
export interface QuickFilter {
  labelKey: string;
  options: readonly { labelKey: string; filters: readonly QueryFilter[] }[];
}

/** Value of a filter in the address that a default one does not hold. */
export const ALL = "all";

/** The filter `field:exact:30` finds rows whose `moment` lies within the last 30 UTC days, today and the 29 before. */
export interface DateRange {
  field: string;
  /** Field that holds a moment. */
  moment: string;
}

/** Addresses of the screens of one kind of records, without a query. */
export interface RecordPaths {
  list: string;
  create: string;
  edit: (id: number) => string;
  /** Of the bulk page; null where there is none, and then rows can't be selected. */
  bulk: string | null;
  /** Of the record as text; absent where the form shows it as such. */
  view?: (id: number) => string;
}

/** What one kind of records says in place of the generic words, already in the reader's language. */
export interface RecordTexts {
  /** An empty list, such as "No users found". */
  none: string;
  /** The list could not be fetched, such as "Failed to load users". */
  loadFailed: string;
  /** Stands above `loadFailed`, where the specification names a heading of its own. */
  errorTitle: string;
  createFailed: string;
  updateFailed: string;
  deleteFailed: string;
  /** What the deletion of one means. */
  deleteText: string;
  /** Button that makes a new record, such as "Add User". */
  create: string;
}

/** Names of icons that actions may have; the list draws them. */
export type ActionIconName = "check" | "stop" | "send";

interface RecordAction {
  key: string;
  /** Texts are in the reader's language. */
  label: string;
  icon: ActionIconName;
  isDanger?: boolean;
  /** What to ask before it is done to so many rows; absent: nothing. */
  toConfirm?: (count: number) => { title: string; text: string };
  /** Beside that question: POST `{ [idsName]: [1, 2] }` answers what would be done and does nothing; a back end may lack it. */
  preview?: { path: string; idsName: string };
  /** Name of a reason that has to be typed first, and is sent as `reason`; absent: none is asked for. */
  reasonLabel?: string;
  /** What a failure is called, such as "Failed to process bounce(s)". */
  failed: string;
  /** What can be done next, by what it or its undo was answered; undefined: nothing. */
  toNext?: (answer: BatchAnswer) => NextAction | undefined;
}

/** A write that an answer makes possible: POST `body` to `path`, answered as `contract/content/bulk.ts` says. */
export interface NextAction {
  label: string;
  path: string;
  body: object;
  failed: string;
}

/** A write of chosen rows: POST `{ [idsName]: [1, 2] }` to `path`, answered as `contract/content/bulk.ts` says. */
export interface BatchAction extends RecordAction {
  path: string;
  idsName: string;
  /** Rows of one request; more of them are refused. */
  max: number;
}

/** The same of one row: POST, with an empty body unless given. */
export interface RowAction extends RecordAction {
  toPath: (id: number) => string;
  toBody?: (id: number) => object;
  /** The row is gone once it is done. */
  isEnd?: boolean;
  /** Key that does it over the opened record, and the name of it in the list of shortcuts; a key of the locale files. */
  shortcut?: { keys: string; labelKey: string };
  /** Whether the row has the button; absent: each has. */
  isFor?: (record: ModelRecord) => boolean;
}

/** One count of a list's rows. */
export interface SummaryCard {
  /** In the answer's `summary`. */
  name: string;
  label: string;
}

/** A field as lists and records show it. */
export interface ShownField extends FieldInfo {
  /** What a text says in the reader's language; absent: the text itself. */
  toText?: (value: string) => string;
}

/** Names of fields at another endpoint for the same rows, where they differ. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * A kind of records as the generic views see it: what its model says of itself, and where its rows come from. Content models
 * are one by `toRecordSource`; users, access levels and the audit log describe themselves the same way.
 */
export interface RecordSource extends ModelInfo {
  fields: ShownField[];
  /** Refine resource of the rows: each model one of its own, so that caches and invalidation never mix two. */
  resource: string;
  /** Resource whose export holds the same rows, for the same query; null: there is none. Absent: the rows' own. */
  exportResource?: string | null;
  /** What that resource calls the fields. */
  exportNames?: FieldNames;
  paths: RecordPaths;
  /** Where writes to the rows are published; null where nothing is. */
  topic: string | null;
  quickFilters: readonly QuickFilter[];
  /**
   * Filters that hold while the address says nothing of their fields; `ALL` there says that every row is wanted. Always the
   * same array.
   */
  defaultFilters?: readonly QueryFilter[];
  /** Days up to today as a filter that stays relative; exports get the moment that it begins at. */
  dateRange?: DateRange;
  /** What a filter of the list's own says in the model's words, for exports; absent: itself. Alternatives, of which one has to hold. */
  toModelFilter?: (filter: QueryFilter) => readonly (readonly QueryFilter[])[];
  /** Filters that the list adds to a view by itself; exports go without. */
  toAddedFilters?: (view: { search: string; filters: readonly QueryFilter[] }) => readonly QueryFilter[];
  /** Words of its own; what is absent has the generic ones. */
  texts?: Partial<RecordTexts>;
  /** Cards above the list with counts of its rows, by their names in the answer's `summary`; none where it has none. */
  summaryCards?: readonly SummaryCard[];
  /** `many-pages`: page numbers only where there is more than one; absent: always. */
  pager?: "always" | "many-pages";
  /** What is done to rows in one request, from the bar of the selection. */
  batchActions?: readonly BatchAction[];
  /** What is done to one row, at its end. */
  rowActions?: readonly RowAction[];
  /** Over an opened record `j` and `k` go on to the next and the previous row of the list. */
  isStepped?: boolean;
  /** Rows of a page when the address names no number; absent: the documented default of lists. */
  pageSize?: number;
  /** Values that a new record starts with, by field. */
  defaults?: Readonly<Record<string, unknown>>;
  /** False where a record like another one makes no sense; absent: it does. */
  hasCopies?: boolean;
  /** The source as one record has it, null for a new one: fields that can't be changed there, and what to know of it. */
  ofRecord?: (record: ModelRecord | null) => RecordSource;
  /** What to know before a record's form is filled in. */
  notice?: string;
  /** Screens that show more of a record. */
  links?: readonly { label: string; to: string }[];
  /** What to ask before the inputs of a form are saved; undefined: nothing. */
  toQuestion?: (inputs: Readonly<Record<string, unknown>>) => SaveQuestion | undefined;
}

/** A question before a save that its author may not have thought through. */
export interface SaveQuestion {
  title: string;
  text: string;
  ok: string;
}

/** Where visitors meet a record; without one, where they meet all of them. Null: there is no such address, or it is hidden. */
export function toSitePath({ site_path }: RecordSource, record: ModelRecord | null): string | null {
  if (!site_path || record?.is_hidden === true) return null;
  const path = site_path.replace(/\{(\w+)\}/g, (slot, name: string) => String(record?.[name] ?? slot));
  return path.includes("{") ? null : path;
}

/** The objects of a content model. */
export function toRecordSource(model: ModelInfo): RecordSource {
  const id = model.content_type_id;
  return {
    ...model,
    resource: objectsResource(id),
    paths: {
      list: objectPaths.list(id),
      create: objectPaths.create(id),
      edit: (objectId) => objectPaths.edit(id, objectId),
      bulk: objectPaths.bulk(id),
    },
    topic: objectsTopic(model),
    quickFilters: [],
    defaults: Object.fromEntries(
      model.fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
    ),
  };
}
