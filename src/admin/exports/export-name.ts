import type { ExportFormat } from "#contract/exports.ts";

/** `certificate-2026-11-20.csv`, by the reader's own calendar. */
export function toExportName(modelName: string, today: Date, format: ExportFormat): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${modelName}-${today.getFullYear()}-${two(today.getMonth() + 1)}-${two(today.getDate())}.${format}`;
}
