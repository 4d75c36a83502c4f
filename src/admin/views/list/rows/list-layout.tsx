import { ProfileOutlined, TableOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { useMedia, WIDE } from "../../../ui/viewport.ts";

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

/** Between cards and the table. */
export function LayoutButton({ rows, setRows }: ListLayout) {
  const { t } = useTranslation();
  const other = rows === "cards" ? "table" : "cards";
  const Icon = other === "table" ? TableOutlined : ProfileOutlined;
  return (
    <Button
      type="text"
      icon={<Icon {...DECORATIVE} />}
      aria-label={t(`list.showAs.${other}`)}
      onClick={() => setRows(other)}
    />
  );
}
