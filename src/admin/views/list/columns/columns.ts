import { type ComponentType, useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import * as z from "zod/mini";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { objectsResource, type RecordSource } from "#resources/record-source.ts";
import { kindOf } from "../../kinds/registry.ts";
import type { ListView } from "../../state/list-view.ts";
import type { ChangeView } from "../../state/use-list-view.ts";

/**
 * At most five columns, without those that every model has (specification B section 9), unless the model names one and is
 * sorted by it: what decides the order is to be seen.
 */
const COLUMNS_MAX = 5;
const COMMON_FIELDS = ["id", "created_at", "updated_at"];

/** What draws a column's cells, by field. `isLinked`: inside of the link to the record already. */
export type RowCells = Readonly<
  Record<string, ComponentType<{ record: ModelRecord; value: unknown; isLinked: boolean }>>
>;

function findFields(source: RecordSource, names: readonly string[]): FieldInfo[] {
  const byName = new Map(source.fields.map((field) => [field.name, field]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

function isSortedBy(source: RecordSource, name: string): boolean {
  return source.list_columns.includes(name) && source.default_sort.some(({ field }) => field === name);
}

/** The columns of a list for which nobody has chosen others. */
export function pickDefaultColumns(source: RecordSource): FieldInfo[] {
  const named = findFields(source, source.list_columns);
  const shown = named.length > 0 ? named : source.fields;
  const own = shown.filter(({ name }) => !COMMON_FIELDS.includes(name) || isSortedBy(source, name));
  // Models name five at most; users have six documented columns.
  return (own.length > 0 ? own : shown).slice(0, Math.max(named.length, COLUMNS_MAX));
}

/** The chosen columns in their order. Fields that the model has no more, or never had, are left out. */
export function pickColumns(source: RecordSource, chosen: readonly string[]): FieldInfo[] {
  const fields = findFields(source, chosen);
  return fields.length > 0 ? fields : pickDefaultColumns(source);
}

export function toCellClass(field: FieldInfo): string {
  const { cellClass } = kindOf(field);
  if (cellClass === "fixed-cell") return cellClass;
  // A number that is chosen by its name reads as a word.
  return field.choices.length > 0 ? "choice-cell" : (cellClass ?? "text-cell");
}

/** The key as a field: models don't name it, but their rows can be sorted and filtered by it. */
const ID_FIELD: FieldInfo = {
  name: "id",
  verbose_name: "ID",
  type: "BigIntegerField",
  help_text: "",
  control: "read-only",
  required: false,
  read_only: true,
  sortable: true,
  operators: ["exact", "in", "gte", "lte", "range"],
  max_length: null,
  accept: [],
  related_model: null,
  choices: [],
  digits: null,
};

/** A content model whose lists offer the key beside its own fields; other kinds of records as they are. */
export function withId(source: RecordSource): RecordSource {
  const isContent = source.resource === objectsResource(source.content_type_id);
  if (!isContent || source.fields.some(({ name }) => name === "id")) return source;
  return { ...source, fields: [...source.fields, ID_FIELD] };
}

const storage = createSafeStorage();
const columnNames = z.array(z.string());

const toKey = (source: RecordSource) => `admin_columns:${source.resource}`;

function readRemembered(source: RecordSource): readonly string[] {
  try {
    return columnNames.safeParse(JSON.parse(storage.getItem(toKey(source)) ?? "[]")).data ?? [];
  } catch {
    // Not ours, or cut short: as if nothing had been chosen.
    return [];
  }
}

function remember(source: RecordSource, columns: readonly string[]): void {
  if (columns.length === 0) storage.removeItem(toKey(source));
  else storage.setItem(toKey(source), JSON.stringify(columns));
}

export interface Columns {
  shown: FieldInfo[];
  /** None: back to the default. */
  change: (names: readonly string[], options?: { replace?: boolean }) => void;
}

/**
 * The columns of a list. The address names them; where it names none, the ones that this browser used last are written into
 * it on arrival, so that a link copied from there shows the same. Back leads to what was shown before.
 */
export function useColumns(source: RecordSource, view: ListView, changeView: ChangeView): Columns {
  const { key } = useLocation();
  const [arrival] = useState(() => ({
    key,
    columns: view.columns.length === 0 ? readRemembered(source) : [],
  }));

  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival alone
  useEffect(() => {
    if (arrival.columns.length > 0) changeView({ columns: arrival.columns }, { replace: true });
  }, []);

  const chosen = view.columns.length === 0 && key === arrival.key ? arrival.columns : view.columns;
  const shown = useMemo(() => pickColumns(source, chosen), [source, chosen]);
  const change = useCallback<Columns["change"]>(
    (next, options) => {
      const isDefault =
        pickDefaultColumns(source)
          .map(({ name }) => name)
          .join() === next.join();
      const columns = isDefault ? [] : next;
      remember(source, columns);
      changeView({ columns }, options);
    },
    [source, changeView],
  );
  return { shown, change };
}
