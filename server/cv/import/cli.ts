import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Command, Option } from "commander";
import { LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import {
  type GoneChoice,
  goneChoice,
  type ImportFormat,
  type ImportPlan,
  type PlannedItem,
  type UndoConflict,
} from "#contract/site/cv-import.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { ResumeError } from "../resume/faults.ts";
import type { JsonValue } from "../resume/json.ts";
import { readFileBytes } from "../resume/resume-file.ts";
import {
  formatConflicts,
  formatCounts,
  formatLosses,
  formatPlan,
  formatReport,
  LANGUAGE_NAMES,
} from "./import-report.ts";
import { readImported } from "./linkedin.ts";
import type { ImportService } from "./service.ts";

/** A complete export of LinkedIn's has pictures and articles in it. What is read of it is far smaller. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Asks the person at the terminal; undefined where nobody is there. */
export type Ask = (question: string) => Promise<string>;

export interface ImportCommandDeps {
  /** `backUp` backs the site up. @returns where to; undefined: by its settings it goes without */
  withService<Answer>(
    work: (service: ImportService, backUp: () => Promise<string | undefined>) => Promise<Answer>,
  ): Promise<Answer>;
  ask: Ask | undefined;
}

/** How a terminal is asked; undefined where input or output is none. */
export function createAsk(): Ask | undefined {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}

interface ImportOptions {
  lang: string;
  gone?: GoneChoice;
  dryRun?: true;
  yes?: true;
  undo?: true;
}

interface Answers {
  gone: Record<string, GoneChoice>;
  matches: Record<string, number | "new">;
}

const toItems = ({ sections }: ImportPlan) => sections.flatMap(({ items }) => items);
const KEYS: Record<string, GoneChoice> = { r: "remove", l: "language", k: "keep" };

/** The choice of an answer's first letter; the plan's own for an empty answer. Undefined: say it again. */
function toChoice(answer: string, choices: readonly GoneChoice[], own: GoneChoice): GoneChoice | undefined {
  const word = answer.trim().toLowerCase();
  const choice = word === "" ? own : KEYS[word.slice(0, 1)];
  return choice && choices.includes(choice) ? choice : undefined;
}

async function askGone(ask: Ask, item: PlannedItem, lang: Language): Promise<GoneChoice> {
  const words = {
    remove: "[r]emove it",
    language: `remove it in ${LANGUAGE_NAMES[lang]} on[l]y`,
    keep: "[k]eep it",
  };
  const choices = item.gone_choices.map((choice) => words[choice]).join(", ");
  const own = item.kind === "kept" ? "keep" : "remove";
  for (;;) {
    const answer = await ask(`“${item.title}” isn't in the file: ${choices}? (${own.slice(0, 1)}) `);
    const choice = toChoice(answer, item.gone_choices, own);
    if (choice) return choice;
  }
}

async function askMatch(ask: Ask, item: PlannedItem): Promise<number | "new" | undefined> {
  const row = item.candidates.find(({ id }) => id === item.match);
  if (!row) return undefined;
  const answer = await ask(`Is “${item.title}” the same as “${row.title}”? (Y/n) `);
  return /^n/i.test(answer.trim()) ? "new" : row.id;
}

/** Chooses the same for all that the file names no more, as far as it can be chosen. */
function answerAlike(plan: ImportPlan, gone: GoneChoice | undefined): Answers {
  const items = toItems(plan).filter((item) => gone !== undefined && item.gone_choices.includes(gone));
  return { gone: Object.fromEntries(items.map(({ key }) => [key, gone ?? "remove"])), matches: {} };
}

/** Asks about each doubtful item. What an answer about a match changes is asked about afterwards. */
async function askAll(
  ask: Ask,
  plan: ImportPlan,
  replan: (answers: Answers) => Promise<ImportPlan>,
  options: ImportOptions,
): Promise<Answers> {
  const answers: Answers = { gone: {}, matches: {} };
  for (const item of toItems(plan).filter(({ is_guess }) => is_guess)) {
    const match = await askMatch(ask, item);
    if (match !== undefined) answers.matches[item.key] = match;
  }
  const next = Object.keys(answers.matches).length > 0 ? await replan(answers) : plan;
  if (options.gone) return { ...answers, gone: answerAlike(next, options.gone).gone };
  for (const item of toItems(next).filter(({ gone_choices }) => gone_choices.length > 0)) {
    answers.gone[item.key] = await askGone(ask, item, plan.lang);
  }
  return answers;
}

/** Adds `import`, with its undo. */
export function registerImportCommand(program: Command, deps: ImportCommandDeps): void {
  const { withService, ask } = deps;
  const print = (text: string) => program.configureOutput().writeOut?.(text);
  const fail = (message: string): never => program.error(message, { exitCode: 1 });

  async function decide(
    service: ImportService,
    file: { document: JsonValue; format: ImportFormat },
    options: ImportOptions,
  ) {
    const lang = toLanguage(options.lang);
    const replan = (answers: Answers) => service.plan({ ...file, lang, answers, reader: "en" });
    const first = await replan({ gone: {}, matches: {} });
    const answers = answerAlike(first, options.gone);
    const plan = await replan(answers);
    // What stays unless somebody says otherwise is a question too.
    const isOpen = !options.gone && toItems(plan).some(({ gone_choices }) => gone_choices.length > 0);
    const isAsking = ask && !options.yes && !options.dryRun && (isOpen || !plan.is_gentle);
    if (!isAsking) return { plan, answers };
    print(formatPlan(plan));
    const given = await askAll(ask, plan, replan, options);
    const last = await replan(given);
    const sum = formatCounts(last.counts) || "nothing";
    const backup = last.is_gentle ? "" : " A backup is made first.";
    const isWanted = /^y/i.test((await ask(`Import this (${sum})?${backup} (y/N) `)).trim());
    return isWanted ? { plan: last, answers: given } : fail("Nothing was imported.");
  }

  async function importFile(file: string, options: ImportOptions): Promise<void> {
    const imported = readImported(await readFileBytes(file, MAX_BYTES));
    const lang = toLanguage(options.lang);
    await withService(async (service, backUp) => {
      const { plan, answers } = await decide(service, imported, options);
      if (options.dryRun) return void print(formatPlan(plan));
      if (!plan.is_gentle && !options.yes && !ask) {
        const losses = formatLosses(plan.counts);
        fail(
          `Nothing was imported: this file would change what the ${LANGUAGE_NAMES[lang]} CV says (${losses}).\n` +
            "Look at it with --dry-run, and add --yes to import it.",
        );
      }
      if (!plan.is_gentle) {
        const backup = await backUp();
        if (backup !== undefined) print(`Backed up to ${backup}\n`);
      }
      const { fingerprint } = plan;
      const about = {
        ...imported,
        lang,
        answers,
        fingerprint,
        fileName: basename(file),
        actor: SYSTEM_ACTOR,
        reader: "en" as const,
      };
      print(formatReport((await service.apply(about)).plan));
    });
  }

  async function undo(options: ImportOptions): Promise<void> {
    await withService(async (service) => {
      const about = { actor: SYSTEM_ACTOR, isPartial: options.yes ?? false, lang: "en" as const };
      const report = await service.undo(about);
      print(`Undone: the import of ${report.fileName} as ${LANGUAGE_NAMES[report.lang]}.\n`);
      if (report.left.length > 0) print(`Left as they are:\n${formatConflicts(report.left)}`);
    });
  }

  function explain(error: unknown): void {
    if (error instanceof ResumeError) fail(error.message);
    if (!(error instanceof AppError)) return;
    if (error.code === "nothing_to_undo") fail("There is no import that can be undone.");
    if (error.code === "import_stale")
      fail("Nothing was imported: somebody changed the CV meanwhile. Try again.");
    if (error.code === "undo_conflicts") {
      const conflicts = error.extra.conflicts as UndoConflict[]; // of undoImport
      fail(
        `Nothing was undone. These were changed since the import:\n${formatConflicts(conflicts)}With --yes the rest is undone, and they stay as they are.`,
      );
    }
  }

  program
    .command("import [file]")
    .description("make a JSON Resume 1.x file, or the zip of a LinkedIn data export, one language of the CV")
    .addOption(new Option("--lang <language>", "language of the file").choices(LANGUAGES).default("en"))
    .option("--dry-run", "say what would change, and write nothing")
    .option("--yes", "change and remove without asking")
    .addOption(
      new Option("--gone <what>", "what becomes of items that the file names no more").choices(
        goneChoice.options,
      ),
    )
    .option("--undo", "take the last import back")
    .action(async (file: string | undefined, options: ImportOptions) => {
      try {
        if (options.undo && options.dryRun) fail("--undo can't be tried with --dry-run.");
        if (options.undo && file === undefined) return await undo(options);
        if (options.undo) fail("--undo takes the last import back, and no file.");
        await importFile(file ?? fail("error: missing required argument 'file'"), options);
      } catch (error) {
        explain(error);
        throw error;
      }
    });
}
