import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import * as z from "zod/mini";
import type { FieldInfo } from "#contract/models.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { ListView } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { pickColumns, pickDefaultColumns } from "./columns/columns.ts";

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
