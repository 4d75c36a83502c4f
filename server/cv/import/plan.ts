import { createHash } from "node:crypto";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import type {
  GoneChoice,
  ImportChoices,
  ImportCounts,
  ImportFormat,
  ImportPlan,
  ItemKind,
  PlannedItem,
} from "#contract/site/cv-import.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { toExportedResume } from "../resume/build-resume.ts";
import type { FileFacts } from "../resume/file-address.ts";
import {
  type CvState,
  getOwnValue,
  listOf,
  type Resume,
  type Row,
  toOtherLanguage,
  type Value,
} from "../resume/item.ts";
import { isJsonObject, type JsonValue, toCanonicalText } from "../resume/json.ts";
import type { MappedField, Section, Sections } from "../resume/sections.ts";
import { findScope } from "./file-scope.ts";
import { countKept } from "./kept-keys.ts";
import {
  listGoneChoices,
  type MergedItem,
  mergeSection,
  NO_CHOICES,
  type SectionChoices,
  type SectionMerge,
  saysTheSame,
} from "./merge-section.ts";

/** Choices of each section, by its name; one that isn't here has none. */
export type Choices = ReadonlyMap<string, SectionChoices>;

/** Answers as they travel, by section. Keys of another shape and of items that there aren't say nothing. */
export function toChoices({ gone, matches }: ImportChoices): Choices {
  const choices = new Map<string, { matches: Map<number, number | "new">; gone: Map<number, GoneChoice> }>();
  const ofSection = (name: string) => {
    const known = choices.get(name) ?? { matches: new Map(), gone: new Map() };
    choices.set(name, known);
    return known;
  };
  for (const [key, choice] of Object.entries(gone)) {
    const [, name, id] = /^(\w+):(\d+)$/.exec(key) ?? [];
    if (name && id) ofSection(name).gone.set(Number(id), choice);
  }
  for (const [key, match] of Object.entries(matches)) {
    const [, name, index] = /^(\w+):#(\d+)$/.exec(key) ?? [];
    if (name && index) ofSection(name).matches.set(Number(index), match);
  }
  return choices;
}

/** What becomes of all rows. Decides, and writes nothing: the same rows, file and choices give the same answer. */
export function mergeResume(
  sections: Sections,
  state: CvState,
  resume: Resume,
  {
    lang,
    format,
    files,
    choices,
  }: { lang: Language; format: ImportFormat; files: FileFacts; choices?: Choices },
): SectionMerge[] {
  // A hidden section would be exported like any other, once it is shown again.
  const open = new Map([...state].map(([section, rows]) => [section, rows.filter((row) => !row.isHidden)]));
  const shown = toExportedResume(sections, open, lang, files);
  return sections.map((section) => {
    const rows = listOf(open, section);
    const items = listOf(shown, section);
    const placed = listOf(state, section).map((row) => ({
      row,
      shown: items.length === rows.length ? items[rows.indexOf(row)] : undefined,
    }));
    return mergeSection(section, listOf(resume, section), placed, lang, {
      scope: findScope(format, section),
      choices: choices?.get(section.name) ?? NO_CHOICES,
    });
  });
}

/** One text for the same rows: a plan holds for the CV that it was made of. */
export function toFingerprint(state: CvState): string {
  const rows = [...state].map(([section, list]) => [section.name, list]);
  return createHash("sha256").update(toCanonicalText(rows)).digest("base64url");
}

/** How people tell a row: its names in a language, each falling back to the other one. */
export function nameRow(section: Section, row: Row, lang: Language): string {
  const names = section.names.flatMap((column) => {
    const field = section.fields.find((mapped) => mapped.column === column);
    const value = field && (getOwnValue(row, field, lang) ?? getOwnValue(row, field, toOtherLanguage(lang)));
    return typeof value === "string" ? [value] : [];
  });
  return names.join(" – ") || `#${row.id}`;
}

type TextChange = PlannedItem["fields"][number]["texts"][number];

function toText(field: MappedField, value: Value): string | null {
  if (value === null) return null;
  if (typeof value !== "string") return value.join("\n");
  return field.field.kind.holdsFile ? `${FILE_PREFIX}${value}` : value;
}

function compareField(field: MappedField, before: Row | undefined, after: Row | undefined): TextChange[] {
  const sides = field.isLocalized ? LANGUAGES : [null];
  return sides
    .map((lang) => {
      const read = (row: Row | undefined) =>
        toText(field, row ? getOwnValue(row, field, lang ?? "en") : null);
      return { lang, before: read(before), after: read(after) };
    })
    .filter((text) => text.before !== text.after);
}

const MAX_OTHER_CHARS = 1000;

function toOtherText(extra: JsonValue | undefined): string | null {
  if (!isJsonObject(extra) || Object.keys(extra).length === 0) return null;
  const text = toCanonicalText(extra);
  return text.length > MAX_OTHER_CHARS ? `${text.slice(0, MAX_OTHER_CHARS)}…` : text;
}

/** The rest of the file that a row keeps for a language: what has no field of its own. */
function compareExtra(before: Row | undefined, after: Row | undefined): TextChange[] {
  return LANGUAGES.filter(
    (lang) => toCanonicalText(before?.extra[lang] ?? {}) !== toCanonicalText(after?.extra[lang] ?? {}),
  ).map((lang) => ({
    lang,
    before: toOtherText(before?.extra[lang]),
    after: toOtherText(after?.extra[lang]),
  }));
}

function compareRows(section: Section, before: Row | undefined, after: Row | undefined, lang: Language) {
  const fields = section.fields.map((field) => ({
    name: field.column,
    label: field.field.labels[lang],
    texts: compareField(field, before, after),
  }));
  const label = section.model.fieldByName.get("extra")?.labels[lang] ?? "extra";
  return [...fields, { name: "extra", label, texts: compareExtra(before, after) }].filter(
    ({ texts }) => texts.length > 0,
  );
}

const GONE_KINDS = { remove: "removed", language: "reduced", keep: "kept" } as const;

function toKind(section: Section, item: MergedItem, lang: Language): ItemKind {
  if (item.is === "gone") return GONE_KINDS[item.choice];
  const { before, after } = item;
  if (!before) return "new";
  if (before === after) return "unchanged";
  if (saysTheSame(before, after)) return "moved";
  const first = section.fields.find(({ column }) => column === section.names[0]);
  const former = first && getOwnValue(before, first, lang);
  return section.listAt && former && former !== getOwnValue(after, first, lang) ? "renamed" : "changed";
}

const MAX_CANDIDATES = 30;

function toPlannedItem(
  merge: SectionMerge,
  item: MergedItem,
  lang: Language,
  { reader, asked }: { reader: Language; asked: SectionChoices | undefined },
): PlannedItem {
  const { section } = merge;
  const row = item.after ?? item.before;
  const fields = compareRows(section, item.before, item.after, reader);
  const changed = toKind(section, item, lang);
  // Its mark of a guess alone is nothing to people.
  const kind = changed === "changed" && fields.length === 0 ? "unchanged" : changed;
  const isAsked = item.is === "named" && (item.isGuess || (asked?.matches.has(item.index) ?? false));
  const hasCandidates = section.listAt !== null && item.is === "named" && (isAsked || !item.before);
  const rows = hasCandidates ? [...(item.before ? [item.before] : []), ...merge.unnamed] : [];
  return {
    key: item.is === "gone" ? `${section.name}:${item.before.id}` : `${section.name}:#${item.index}`,
    kind,
    title: row ? nameRow(section, row, lang) : "",
    former_title: item.before && kind === "renamed" ? nameRow(section, item.before, lang) : null,
    is_hidden: row?.isHidden ?? false,
    is_guess: isAsked && kind !== "unchanged" && kind !== "moved",
    fields,
    gone_choices: item.is === "gone" ? listGoneChoices(item.before, lang) : [],
    candidates: rows
      .slice(0, MAX_CANDIDATES)
      .map((candidate) => ({ id: candidate.id, title: nameRow(section, candidate, lang) })),
    match: item.is === "named" ? (item.before?.id ?? null) : null,
  };
}

function countKinds(items: readonly Pick<PlannedItem, "kind">[]): ImportCounts {
  const counts = { new: 0, changed: 0, renamed: 0, moved: 0, removed: 0, reduced: 0, kept: 0, unchanged: 0 };
  for (const { kind } of items) counts[kind]++;
  return counts;
}

/** Whether nothing that is there is written over or removed. */
function isGentle({ kind, fields }: PlannedItem): boolean {
  if (kind === "new" || kind === "kept") return true;
  if (kind === "removed" || kind === "reduced") return false;
  return fields.every(({ texts }) => texts.every(({ before }) => before === null));
}

const MAX_EXAMPLES = 8;

/** Texts that a language lacks, each by the names of its row and its field. */
function listUntranslated({ section, rows }: SectionMerge, lang: Language, reader: Language): string[] {
  const lacks = (row: Row, column: string) => {
    const sides = row.localized[column];
    return sides && sides[lang] === null && sides[toOtherLanguage(lang)] !== null;
  };
  return rows.flatMap((row) =>
    section.fields
      .filter(({ column }) => lacks(row, column))
      .map(({ field }) => `${nameRow(section, row, lang)}: ${field.labels[reader]}`),
  );
}

/** What an import would do, for people, in the reader's language. */
export function toPlan(
  merges: readonly SectionMerge[],
  about: {
    resume: Resume;
    lang: Language;
    format: ImportFormat;
    reader: Language;
    sampleCount: number;
    fingerprint: string;
    /** Keys of the models whose sections are hidden. */
    hidden: ReadonlySet<string>;
    choices?: Choices;
  },
): ImportPlan {
  const { resume, lang, format, reader, sampleCount, fingerprint } = about;
  const sections = merges.map((merge) => {
    const { name, model } = merge.section;
    const asked = about.choices?.get(name);
    const items = merge.items
      .map((item) => toPlannedItem(merge, item, lang, { reader, asked }))
      .filter(({ fields, kind }) => kind !== "new" || name !== "basics" || fields.length > 0);
    const is_hidden = about.hidden.has(model.key);
    return { name, label: model.pluralLabels[reader], is_hidden, counts: countKinds(items), items };
  });
  const items = sections.flatMap((section) => section.items);
  const untranslated = (side: Language) => {
    const texts = merges.flatMap((merge) => listUntranslated(merge, side, reader));
    return { count: texts.length, examples: texts.slice(0, MAX_EXAMPLES) };
  };
  return {
    lang,
    format,
    counts: countKinds(items),
    sections,
    sample_count: sampleCount,
    kept_keys: countKept(resume),
    untranslated: { en: untranslated("en"), tr: untranslated("tr") },
    is_gentle: items.every(isGentle),
    is_unchanged: sampleCount === 0 && merges.every((merge) => merge.changes.length === 0),
    fingerprint,
  };
}
