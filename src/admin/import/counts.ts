import type { TFunction } from "i18next";
import type { ImportCounts, ItemKind } from "#contract/site/cv-import.ts";

/** In the order in which they are read out. */
const KINDS = [
  "new",
  "changed",
  "renamed",
  "removed",
  "reduced",
  "kept",
  "moved",
] as const satisfies readonly ItemKind[];

/** What is written: that something stays needs no button. */
const WRITTEN = [
  "new",
  "changed",
  "renamed",
  "removed",
  "reduced",
  "moved",
] as const satisfies readonly ItemKind[];

function toText(counts: ImportCounts, kinds: readonly (typeof KINDS)[number][], t: TFunction): string {
  return kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`import.counts.${kind}`, { count: counts[kind] }))
    .join(", ");
}

/** `3 new, 2 changed, 1 removed`; empty where nothing happens. */
export function toCountsText(counts: ImportCounts, t: TFunction): string {
  return toText(counts, KINDS, t);
}

/** The same of what an import writes. */
export function toWrittenText(counts: ImportCounts, t: TFunction): string {
  return toText(counts, WRITTEN, t);
}
