import { getOwnValue, type Row } from "./item.ts";
import type { Section } from "./sections.ts";

/** How people call a row: its model's title, in English when it has it. */
export function getRowTitle(section: Section, row: Row): string {
  const field = section.fields.find(({ column }) => column === section.model.titleField);
  const title = field && (getOwnValue(row, field, "en") ?? getOwnValue(row, field, "tr"));
  return typeof title === "string" ? title : `#${row.id}`;
}
