import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type CellValue, toCellValue } from "../cell-value.ts";
import { Cell } from "../kinds/cell.tsx";

/** Longer texts, and those of several lines, have the whole width. */
const SHORT_TEXT_MAX_CHARS = 80;

function isLong(cell: CellValue): boolean {
  const text = cell.kind === "text" ? (cell.full ?? cell.text) : "";
  return text.length > SHORT_TEXT_MAX_CHARS || text.includes("\n");
}

/** Values that the server alone writes, as text: whole, with their line breaks. */
export function ReadOnlyFields({ model, record }: { model: RecordSource; record: ModelRecord }) {
  const lang = toLanguage(useTranslation().i18n.language);
  const fields = model.fields.filter((field) => field.read_only);
  if (fields.length === 0) return null;
  return (
    <dl className="read-only-fields">
      {fields.map((field) => (
        <div key={field.name} data-long={isLong(toCellValue(field, record[field.name], lang)) || undefined}>
          <dt>{field.verbose_name}</dt>
          <dd>
            <Cell field={field} value={record[field.name]} isWhole />
          </dd>
        </div>
      ))}
    </dl>
  );
}
