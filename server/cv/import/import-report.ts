import type { Language } from "#contract/languages.ts";
import type {
  ImportCounts,
  ImportPlan,
  ItemKind,
  PlannedItem,
  UndoConflict,
} from "#contract/site/cv-import.ts";

export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", tr: "Turkish" };

/** In the order in which counts are read out. */
const WORDS: Record<ItemKind, string> = {
  new: "new",
  changed: "changed",
  renamed: "renamed",
  moved: "moved",
  removed: "removed",
  reduced: "left to the other language",
  kept: "kept",
  unchanged: "unchanged",
};
const KINDS = Object.keys(WORDS) as ItemKind[]; // of the object above
const MARKS: Partial<Record<ItemKind, string>> = { new: "+", removed: "-", reduced: "-", kept: "=" };

/** `3 new, 2 changed, 1 removed`; empty where there is nothing. */
export function formatCounts(counts: ImportCounts, kinds: readonly ItemKind[] = KINDS): string {
  return kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${WORDS[kind]}`)
    .join(", ");
}

/** What an import writes over or takes away. */
export function formatLosses(counts: ImportCounts): string {
  return formatCounts(counts, ["changed", "renamed", "removed", "reduced"]);
}

const MAX_TEXT_CHARS = 160;

function formatText(text: string | null): string {
  if (text === null) return "nothing";
  const short = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
  return JSON.stringify(short);
}

function formatField({ label, texts }: PlannedItem["fields"][number]): string[] {
  return texts.map(({ lang, before, after }) => {
    const where = lang === null ? "both languages" : LANGUAGE_NAMES[lang];
    return `      ${label} (${where}): ${formatText(before)} → ${formatText(after)}`;
  });
}

function formatItem(item: PlannedItem): string[] {
  const { kind, title, former_title, is_guess, is_hidden, fields } = item;
  const name = former_title === null ? title : `${former_title} → ${title}`;
  const hint = `${is_guess ? " (recognised by its name or place alone)" : ""}${is_hidden ? " (hidden)" : ""}`;
  const line = `    ${MARKS[kind] ?? "~"} ${WORDS[kind]}: ${name}${hint}`;
  // Of what is new or goes the name says enough.
  return ["changed", "renamed"].includes(kind) ? [line, ...fields.flatMap(formatField)] : [line];
}

function formatSection(
  { name, counts, items, is_hidden }: ImportPlan["sections"][number],
  isLong: boolean,
): string[] {
  const hint = is_hidden && items.length > 0 ? " (this section is hidden)" : "";
  const line = `  ${name.padEnd(14)}${formatCounts(counts) || "none"}${hint}`;
  const shown = items.filter(({ kind }) => isLong && !["unchanged", "moved"].includes(kind));
  return [line, ...shown.flatMap(formatItem)];
}

const PICTURES = ["basics.image", "basics.picture"];

/** What is none of the schema's own, or a value that a page can't show, such as an address that is none of the web. */
function formatKept(kept: readonly string[]): string[] {
  const others = kept.filter((key) => !PICTURES.includes(key));
  return [
    ...(others.length > 0 ? [`In /cv.json alone: ${others.join(", ")}`] : []),
    ...(others.length < kept.length
      ? ["The picture is none of this site's files and isn't downloaded: upload it under CV profile."]
      : []),
  ];
}

function formatUntranslated({ untranslated }: ImportPlan, lang: Language): string[] {
  const { count, examples } = untranslated[lang];
  if (count === 0) return [];
  const texts = count === 1 ? "1 text has" : `${count} texts have`;
  const more = count > examples.length ? `; and ${count - examples.length} more` : "";
  const line = `${texts} no ${LANGUAGE_NAMES[lang]} yet, the page shows the other language:`;
  return [`${line} ${examples.join("; ")}${more}`];
}

function formatHead(plan: ImportPlan, verbs: { sample: string; head: string }): string[] {
  return [
    ...(plan.sample_count > 0 ? [`${verbs.sample}: ${plan.sample_count} items.`] : []),
    plan.is_unchanged
      ? `Nothing changed: the ${LANGUAGE_NAMES[plan.lang]} CV says all this already.`
      : `${verbs.head} ${LANGUAGE_NAMES[plan.lang]}:`,
  ];
}

function formatBody(plan: ImportPlan, isLong: boolean): string[] {
  // Of a CV that says all this already, what stays without being in the file.
  const sections = plan.sections.filter(({ counts }) => !plan.is_unchanged || counts.kept > 0);
  return [
    ...sections.flatMap((section) => formatSection(section, isLong)),
    ...(plan.format === "linkedin" ? ["What a LinkedIn export has no place for stays as it is."] : []),
    ...formatKept(plan.kept_keys),
    ...formatUntranslated(plan, "en"),
    ...formatUntranslated(plan, "tr"),
  ];
}

/** What an import would do, item by item, as lines for a terminal. */
export function formatPlan(plan: ImportPlan): string {
  const head = formatHead(plan, {
    sample: "The sample content goes first",
    head: "This would be imported as",
  });
  return `${[...head, ...formatBody(plan, true)].join("\n")}\n`;
}

/** What an import did, as lines for a terminal. */
export function formatReport(plan: ImportPlan): string {
  const head = formatHead(plan, { sample: "Removed the sample content first", head: "Imported as" });
  return `${[...head, ...formatBody(plan, false)].join("\n")}\n`;
}

const REASONS: Record<UndoConflict["reason"], string> = {
  changed: "changed since",
  deleted: "deleted since",
  exists: "its place is taken",
};

/** Rows that an undo leaves as they are. */
export function formatConflicts(conflicts: readonly UndoConflict[]): string {
  return conflicts
    .map(({ section, title, reason }) => `  ${section}: ${title} (${REASONS[reason]})\n`)
    .join("");
}
