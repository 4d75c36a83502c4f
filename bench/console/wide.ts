import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { baseColumns, localizedColumn } from "#server/models/columns.ts";
import { declareModel, type FieldDeclaration, STAFF_CONTENT } from "#server/models/declare.ts";

const numbers = Array.from({ length: 6 }, (_, index) => index + 1);
const labels = (word: string, number: number) => ({ en: `${word} ${number}`, tr: `${word} ${number}` });

/** Six fields of each of five kinds: thirty, thirty-six inputs. */
const KINDS = [
  { prefix: "short", sqlType: "text", field: { kind: "text", maxLength: 200 } },
  { prefix: "long", sqlType: "text", field: { kind: "long_text" } },
  { prefix: "name", sqlType: "jsonb", field: { kind: "localized_text", maxLength: 200 } },
  { prefix: "mark", sqlType: "text", field: { kind: "markdown" } },
  { prefix: "count", sqlType: "integer", field: { kind: "integer" } },
] as const;

const columns = numbers.map((number) => ({
  [`short_${number}`]: text(`short_${number}`),
  [`long_${number}`]: text(`long_${number}`),
  [`name_${number}`]: localizedColumn(`name_${number}`),
  [`mark_${number}`]: text(`mark_${number}`),
  [`count_${number}`]: integer(`count_${number}`),
}));

const fields: Record<string, FieldDeclaration> = Object.fromEntries(
  KINDS.flatMap(({ prefix, field }) =>
    numbers.map((number) => [`${prefix}_${number}`, { ...field, labels: labels(prefix, number) }]),
  ),
);

/** A form of thirty fields, for the keystrokes of bench/console.ts. The product does not have it. */
export const benchWide = declareModel({
  app: "bench",
  name: "wide",
  table: pgTable("bench_wide", { ...baseColumns(), ...Object.assign({}, ...columns) }),
  labels: { en: "Wide", tr: "Geniş" },
  pluralLabels: { en: "Wide ones", tr: "Genişler" },
  help: { en: "Thirty fields.", tr: "Otuz alan." },
  fields,
  title: "short_1",
  list: ["short_1", "count_1"],
  search: [],
  defaultSort: [{ field: "id", direction: "asc" }],
  access: STAFF_CONTENT,
});

/** The table with one row, as drizzle-kit would generate it. */
export const WIDE_SQL = `
  CREATE TABLE bench_wide (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    ${KINDS.flatMap(({ prefix, sqlType }) => numbers.map((number) => `${prefix}_${number} ${sqlType}`)).join(", ")});
  INSERT INTO bench_wide (short_1, long_1, mark_1, count_1)
    VALUES ('One', repeat('A sentence of the text. ', 40), repeat('**Bold** and *italic*. ', 40), 1)`;
