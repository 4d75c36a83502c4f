import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Language, toLanguage } from "#contract/languages.ts";
import type { ShownField } from "#resources/record-source.ts";
import { isShared, type OwnCell, type SharedCell, toPlainCell } from "./cell-value.ts";
import { type CellProps, drawWords } from "./kind.tsx";
import { kindOf } from "./registry.ts";

/** How a value of a record shows in a list (specification B section 2, model detail). */
export function toCellValue(field: ShownField, value: unknown, lang: Language): SharedCell | OwnCell {
  if (value === null || value === undefined || value === "") return { kind: "empty" };
  const said = typeof value === "string" ? (field.toText?.(value) ?? value) : value;
  return kindOf(field).toCell?.(said, field, lang) ?? toPlainCell(said, field, lang);
}

/** The words of a value, uncut; "" for one that shows none. */
export function toCellWords(field: ShownField, value: unknown, lang: Language): string {
  const cell = toCellValue(field, value, lang);
  return isShared(cell) && cell.kind === "text" ? (cell.full ?? cell.text) : "";
}

/** One value of a record. Without hooks, as a page of a list has a thousand. */
export function CellBody(props: CellProps): ReactNode {
  const { field, value, t, lang } = props;
  const kind = kindOf(field);
  const cell = toCellValue(field, value, lang);
  if (!isShared(cell)) return kind.drawCell?.(cell, props);
  switch (cell.kind) {
    case "empty":
      return (
        <span className="cell-empty">
          <span aria-hidden>—</span>
          <span className="visually-hidden">{t("cell.empty")}</span>
        </span>
      );
    case "yes":
    case "no":
      return t(`cell.${cell.kind}`);
    case "text":
      return kind.drawText ? kind.drawText(cell, props) : drawWords(cell, props);
  }
}

/** One value of a record, as read-only fields and changes show it. */
export function Cell(props: Omit<CellProps, "t" | "lang">) {
  const { t, i18n } = useTranslation();
  return <CellBody {...props} t={t} lang={toLanguage(i18n.language)} />;
}
