import { useState } from "react";
import { createSafeStorage } from "#providers/safe-storage.ts";
import { useMedia } from "../../../parts/use-media.ts";
import { WIDE } from "../../../parts/wide.ts";

/** How rows are drawn. */
export type RowsLayout = "table" | "cards";

export interface ListLayout {
  /** The screen of a phone: what decides which rows there are lies behind buttons. */
  isNarrow: boolean;
  rows: RowsLayout;
  setRows: (rows: RowsLayout) => void;
}

const storage = createSafeStorage();
const KEY = "admin_list_rows";

/** Cards on a phone, unless its owner has chosen the table; the choice holds for every list of this browser. */
export function useListLayout(): ListLayout {
  const isNarrow = !useMedia(WIDE);
  const [chosen, setChosen] = useState<RowsLayout>(() =>
    storage.getItem(KEY) === "table" ? "table" : "cards",
  );
  return {
    isNarrow,
    rows: isNarrow ? chosen : "table",
    setRows(rows) {
      storage.setItem(KEY, rows);
      setChosen(rows);
    },
  };
}
