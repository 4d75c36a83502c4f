import "./changes.css";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import {
  type ChangeRow,
  ChangeValue,
  type FieldChanges,
  getComparable,
  TextDiff,
  toChangeRows,
} from "./change-value.tsx";

type Side = "before" | "after";

/** Sides that say something: a row that was made had nothing before, one that was deleted has nothing after. */
function findSides(changes: FieldChanges): Side[] {
  const sides = ["before", "after"] as const;
  return sides.filter((side) => Object.values(changes).some((change) => side in change));
}

function Values({ row, sides }: { row: ChangeRow; sides: readonly Side[] }) {
  const { t } = useTranslation();
  const texts = sides.length > 1 ? getComparable(row) : undefined;
  if (texts) {
    return (
      <td colSpan={2}>
        <TextDiff {...texts} lang={row.lang} />
      </td>
    );
  }
  return sides.map((side) => (
    <td key={side} data-side={side} data-label={t(`history.${side}`)}>
      <ChangeValue row={row} side={side} />
    </td>
  ));
}

interface ChangesTableProps {
  /** As history and audit log give them. */
  changes: FieldChanges;
  /** Of the model; fields that it no longer has are named as they were written down. */
  fields: readonly FieldInfo[];
}

/** What a write changed, field by field, before and after. */
export function ChangesTable({ changes, fields }: ChangesTableProps) {
  const { t } = useTranslation();
  const rows = toChangeRows(changes, fields);
  const sides = findSides(changes);
  if (rows.length === 0) return <p className="changes-none">{t("history.noChanges")}</p>;
  return (
    <table className="changes">
      <caption className="visually-hidden">{t("history.changes")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("history.field")}</th>
          {sides.map((side) => (
            <th key={side} scope="col">
              {t(`history.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              {row.field.verbose_name}
              {row.lang && <span className="change-language">{t(`languages.${row.lang}`)}</span>}
            </th>
            <Values row={row} sides={sides} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
