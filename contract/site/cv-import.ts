import * as z from "zod/mini";
import { language } from "../values.ts";

/**
 * Importing a CV from the console: a file becomes a draft, the draft has a plan, and the plan is applied once and can be
 * taken back. Rows are `section:id` of what is there, items `section:#index` of the file.
 */

/** What becomes of an item that the file doesn't name any more: `language` takes the file's language away from it. */
export const goneChoice = z.enum(["remove", "language", "keep"]);
export type GoneChoice = z.infer<typeof goneChoice>;

/** What an imported file is. */
export const importFormat = z.enum(["json_resume", "linkedin"]);
export type ImportFormat = z.infer<typeof importFormat>;

/** Answers to what the plan asks. What isn't answered is as the plan says. */
export const importChoices = z.object({
  gone: z.record(z.string(), goneChoice),
  /** For items of the file: the row that it is, by its id, or that it is a new one. */
  matches: z.record(z.string(), z.union([z.int(), z.literal("new")])),
});
export type ImportChoices = z.infer<typeof importChoices>;

export const itemKind = z.enum([
  "new",
  "changed",
  "renamed",
  "moved",
  "unchanged",
  "removed",
  "reduced",
  "kept",
]);
export type ItemKind = z.infer<typeof itemKind>;

/** A text before and after; `lang` null: it is the same in both languages. Lists have a line for each entry. */
const textChange = z.object({
  lang: z.nullable(language),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
const fieldChange = z.object({ name: z.string(), label: z.string(), texts: z.array(textChange) });

const plannedItem = z.object({
  key: z.string(),
  /** `removed`, `reduced` (one language goes) and `kept` are in the file no more. */
  kind: itemKind,
  title: z.string(),
  /** What a renamed one was called. */
  former_title: z.nullable(z.string()),
  /** Visitors don't see it, and won't. */
  is_hidden: z.boolean(),
  /** It is found by likeness or place alone: ask. */
  is_guess: z.boolean(),
  fields: z.array(fieldChange),
  /** What can be chosen, the plan's own answer included; empty where nothing is asked. */
  gone_choices: z.array(goneChoice),
  /** Rows that the item may be; `null` in the plan's own answer: a new one. */
  candidates: z.array(z.object({ id: z.int(), title: z.string() })),
  match: z.nullable(z.int()),
});
export type PlannedItem = z.infer<typeof plannedItem>;

const counts = z.object({
  new: z.number(),
  changed: z.number(),
  renamed: z.number(),
  moved: z.number(),
  removed: z.number(),
  reduced: z.number(),
  kept: z.number(),
  unchanged: z.number(),
});
export type ImportCounts = z.infer<typeof counts>;

const untranslated = z.object({ count: z.number(), examples: z.array(z.string()) });

export const importPlan = z.object({
  lang: language,
  format: importFormat,
  counts,
  sections: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      /** The owner hid the section: visitors don't see its items, whatever is imported. */
      is_hidden: z.boolean(),
      counts,
      items: z.array(plannedItem),
    }),
  ),
  /** Items of the sample content that go first. */
  sample_count: z.number(),
  /** Keys that /cv.json gives back and no page shows, with how often they occur. */
  kept_keys: z.array(z.string()),
  /** Texts that exist in one language only afterwards, by the language that lacks them; the first few by their names. */
  untranslated: z.object({ en: untranslated, tr: untranslated }),
  /** No text that is there is written over or removed. */
  is_gentle: z.boolean(),
  is_unchanged: z.boolean(),
  /** Of the CV as the plan found it. */
  fingerprint: z.string(),
});
export type ImportPlan = z.infer<typeof importPlan>;

/** A row that somebody changed since the import, or whose place is taken: an undo leaves it as it is. */
const conflict = z.object({
  section: z.string(),
  title: z.string(),
  reason: z.enum(["changed", "deleted", "exists"]),
});
export type UndoConflict = z.infer<typeof conflict>;

/** `draft`: a file and its plan. `applied`: what it changed can be taken back. `undone`: it was. */
const importState = z.enum(["draft", "applied", "undone"]);

const importEntry = z.object({
  id: z.int(),
  state: importState,
  file_name: z.string(),
  lang: language,
  created_at: z.string(),
  applied_at: z.nullable(z.string()),
  undone_at: z.nullable(z.string()),
  /** Name of the backup in `backups/` of the data folder that was made before it. */
  backup_file: z.nullable(z.string()),
  /** Who applied it; null: the command line, or an account that is gone. */
  username: z.nullable(z.string()),
  counts: z.nullable(counts),
  /** Whether it can be undone now: the newest one that was applied. */
  can_undo: z.boolean(),
});
export type ImportEntry = z.infer<typeof importEntry>;

export const importList = z.object({ results: z.array(importEntry) });

/** A file of 5 MB, also in base64. */
export const IMPORT_MAX_CHARS = 7 * 1024 * 1024;
/** A file and its plan, until it is applied; afterwards what it did in counts. */
export const importAnswer = z.object({
  entry: importEntry,
  answers: importChoices,
  /** Null: it was applied, or its file is gone. */
  plan: z.nullable(importPlan),
});
export type ImportAnswer = z.infer<typeof importAnswer>;

export const newImport = z.object({
  file_name: z.string().check(z.minLength(1), z.maxLength(200)),
  lang: language,
  text: z.string().check(z.maxLength(IMPORT_MAX_CHARS)),
  /** Of `text`, as the console sends every file and a zip (a LinkedIn data export) has to be sent; without it `text` is what the file says. */
  encoding: z.optional(z.literal("base64")),
});
export type NewImport = z.infer<typeof newImport>;

export const undoAnswer = z.object({
  entry: importEntry,
  restored_count: z.number(),
  left: z.array(conflict),
});
export type UndoAnswer = z.infer<typeof undoAnswer>;
