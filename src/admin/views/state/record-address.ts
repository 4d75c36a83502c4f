import { useLocation } from "react-router";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

/** In the address of a new record: the number of the one that it is a copy of. */
export const FROM = "from";

/** Whether the person may make another record like one of these. */
export function canCopy(source: RecordSource): boolean {
  const { permissions, is_singleton, hasCopies = true } = source;
  return hasCopies && permissions.create && !is_singleton;
}

/** What a copy can't have from its original: its own place, secrets, and what no two may share. */
function isLeftOut(source: RecordSource, { name, is_unique, is_secret }: FieldInfo): boolean {
  return is_unique === true || is_secret === true || name === source.order_field;
}

/** Writable fields that a copy has to be given by hand. */
export function listLeftOut(source: RecordSource): FieldInfo[] {
  return source.fields.filter((field) => !field.read_only && field.is_unique === true);
}

/**
 * The values that a new record begins with, of one that it shall be like. Files are shared: they are stored by their content,
 * and stay for as long as a record names them.
 */
export function toCopy(source: RecordSource, record: ModelRecord): ModelRecord {
  const kept = source.fields.filter((field) => !field.read_only && !isLeftOut(source, field));
  const values = Object.fromEntries(kept.map(({ name }) => [name, record[name]]));
  return { ...source.defaults, ...values, id: record.id, repr: record.repr };
}

/** Address of the form of a copy, over the list with this query. */
export function toCopyAddress(source: RecordSource, id: number, search: string) {
  const params = new URLSearchParams(search);
  params.set(FROM, String(id));
  return { pathname: source.paths.create, search: params.toString() };
}

const TAB = "tab";
/** Of the form; the address doesn't name it. */
export const DETAILS = "details";
export const HISTORY = "history";

/** The query without what it says of the record: the rest is the list's. */
export function toListSearch(search: string): string {
  const params = new URLSearchParams(search);
  if (!params.has(TAB) && !params.has(FROM)) return search;
  params.delete(TAB);
  params.delete(FROM);
  return params.size > 0 ? `?${params}` : "";
}

/**
 * Which view of the record is open: its form, its history, or one of the screen's own. The address says it, so that it survives a
 * reload and can be sent to somebody.
 */
export function useRecordTab(): { tab: string; toSearch: (tab: string) => string } {
  const { search } = useLocation();
  const tab = new URLSearchParams(search).get(TAB) ?? DETAILS;
  return {
    tab,
    toSearch(next) {
      const params = new URLSearchParams(toListSearch(search));
      if (next !== DETAILS) params.set(TAB, next);
      return params.size > 0 ? `?${params}` : "";
    },
  };
}
