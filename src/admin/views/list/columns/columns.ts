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

function findFields(model: RecordSource, names: readonly string[]): FieldInfo[] {
  const byName = new Map(model.fields.map((field) => [field.name, field]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

function isSortedBy(model: RecordSource, name: string): boolean {
  return model.list_columns.includes(name) && model.default_sort.some(({ field }) => field === name);
}

/** The columns of a list for which nobody has chosen others. */
export function pickDefaultColumns(model: RecordSource): FieldInfo[] {
  const named = findFields(model, model.list_columns);
  const shown = named.length > 0 ? named : model.fields;
  const own = shown.filter(({ name }) => !COMMON_FIELDS.includes(name) || isSortedBy(model, name));
  // Models name five at most; users have six documented columns.
  return (own.length > 0 ? own : shown).slice(0, Math.max(named.length, COLUMNS_MAX));
}

/** The chosen columns in their order. Fields that the model has no more, or never had, are left out. */
export function pickColumns(model: RecordSource, chosen: readonly string[]): FieldInfo[] {
  const fields = findFields(model, chosen);
  return fields.length > 0 ? fields : pickDefaultColumns(model);
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
export function withId(model: RecordSource): RecordSource {
  const isContent = model.resource === objectsResource(model.content_type_id);
  if (!isContent || model.fields.some(({ name }) => name === "id")) return model;
  return { ...model, fields: [...model.fields, ID_FIELD] };
}

const storage = createSafeStorage();
const columnNames = z.array(z.string());

const toKey = (model: RecordSource) => `admin_columns:${model.resource}`;

function readRemembered(model: RecordSource): readonly string[] {
  try {
    return columnNames.safeParse(JSON.parse(storage.getItem(toKey(model)) ?? "[]")).data ?? [];
  } catch {
    // Not ours, or cut short: as if nothing had been chosen.
    return [];
  }
}

function remember(model: RecordSource, columns: readonly string[]): void {
  if (columns.length === 0) storage.removeItem(toKey(model));
  else storage.setItem(toKey(model), JSON.stringify(columns));
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
export function useColumns(model: RecordSource, view: ListView, changeView: ChangeView): Columns {
  const { key } = useLocation();
  const [arrival] = useState(() => ({
    key,
    columns: view.columns.length === 0 ? readRemembered(model) : [],
  }));

  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival alone
  useEffect(() => {
    if (arrival.columns.length > 0) changeView({ columns: arrival.columns }, { replace: true });
  }, []);

  const chosen = view.columns.length === 0 && key === arrival.key ? arrival.columns : view.columns;
  const shown = useMemo(() => pickColumns(model, chosen), [model, chosen]);
  const change = useCallback<Columns["change"]>(
    (next, options) => {
      const isDefault =
        pickDefaultColumns(model)
          .map(({ name }) => name)
          .join() === next.join();
      const columns = isDefault ? [] : next;
      remember(model, columns);
      changeView({ columns }, options);
    },
    [model, changeView],
  );
  return { shown, change };
}
