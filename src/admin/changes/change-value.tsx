import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { toCellValue } from "../views/cell-value.ts";
import { type ChangeRow, SECRET } from "../views/history/change-value.tsx";
import { diffWords } from "../views/history/word-diff.ts";
import { Cell } from "../views/kinds/cell.tsx";
import { toComparableText } from "./change-text.ts";

/** One side of a change, uncut: here it is read, not scanned. */
export function ChangeValue({ row, side }: { row: ChangeRow; side: "before" | "after" }) {
  const { t, i18n } = useTranslation();
  const value = row[side];
  if (value === SECRET) return <span className="cell-empty">{t("history.secret")}</span>;
  const text = toComparableText(row, side);
  if (text !== undefined && text !== "")
    return (
      <span className="change-text" lang={row.lang}>
        {text}
      </span>
    );
  const cell = toCellValue(row.field, value, toLanguage(i18n.language));
  return cell.kind === "text" ? (
    <span className="change-text">{cell.full ?? cell.text}</span>
  ) : (
    <Cell field={row.field} value={value} />
  );
}

/** Two versions of a text as one: what went struck through, what came underlined, both told to screen readers. */
export function TextDiff({
  before,
  after,
  lang,
}: {
  before: string;
  after: string;
  lang: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <span className="change-text" lang={lang}>
      {diffWords(before, after).map(({ kind, text }, at) => {
        // The parts of a diff have no names; it is drawn once.
        const key = `${at}`;
        if (kind === "same") return <span key={key}>{text}</span>;
        const Mark = kind === "removed" ? "del" : "ins";
        return (
          <Mark key={key}>
            <span className="visually-hidden">{t(`history.${kind}`)} </span>
            {text}
          </Mark>
        );
      })}
    </span>
  );
}
