import { basename } from "node:path";
import type {
  ImportAnswer,
  ImportChoices,
  ImportEntry,
  NewImport,
  UndoAnswer,
} from "#contract/site/cv-import.ts";
import type { Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { type FaultText, ResumeError, toFaultText } from "../resume/faults.ts";
import { findSections } from "../resume/sections.ts";
import { readImported } from "./linkedin.ts";
import type { ImportService } from "./service.ts";
import {
  type ImportRow,
  insertDraft,
  pruneImports,
  selectImport,
  selectImports,
  selectUndoable,
  updateAnswers,
  updateBackupFile,
} from "./store.ts";

/** Imports as the console makes, shows and undoes them. */
export interface ImportConsole {
  list(caller: Caller): Promise<ImportEntry[]>;
  create(caller: Caller, file: NewImport): Promise<ImportAnswer>;
  read(caller: Caller, id: number): Promise<ImportAnswer>;
  answer(caller: Caller, id: number, answers: ImportChoices): Promise<ImportAnswer>;
  apply(
    caller: Caller,
    id: number,
    about: { answers: ImportChoices; fingerprint: string },
  ): Promise<ImportAnswer>;
  undo(caller: Caller, id: number, isPartial: boolean): Promise<UndoAnswer>;
}

interface ConsoleDeps {
  pool: Queryable;
  imports: ImportService;
  registry: Pick<Registry, "models">;
  feed: Pick<ChangeFeed, "announce">;
  /** Backs the site up before something is changed or removed. @returns the file; undefined: by the settings it goes without */
  backUp(): Promise<string | undefined>;
}

const LISTED = 10;
const MAX_FAULTS = 50;
const NO_ANSWERS: ImportChoices = { gone: {}, matches: {} };

/** Faults of a file as those of fields, in both languages, so that the console lists them in the person's own. */
async function withFaults<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ResumeError)) throw error;
    const { faults } = error;
    const count = faults.length - MAX_FAULTS;
    const named: FaultText[] = [
      ...faults.slice(0, MAX_FAULTS),
      ...(count > 0 ? [{ name: "more" as const, vars: { count } }] : []),
    ];
    const fields = named.map((fault, index) => {
      const text = { en: toFaultText(fault, "en"), tr: toFaultText(fault, "tr") };
      return { field: String(index), code: "import_fault", vars: { text } };
    });
    throw new AppError("import_invalid", { fields, cause: error });
  }
}

function toEntry(
  row: Omit<ImportRow, "document" | "answers" | "snapshot">,
  undoable: number | undefined,
): ImportEntry {
  const { id, state, file_name, lang, created_at, applied_at, undone_at, username, counts, backup_file } =
    row;
  const can_undo = id === undoable;
  return {
    id,
    state,
    file_name,
    lang,
    created_at,
    applied_at,
    undone_at,
    username,
    counts,
    backup_file,
    can_undo,
  };
}

export function createImportConsole({ pool, imports, registry, feed, backUp }: ConsoleDeps): ImportConsole {
  const models = findSections(registry).map(({ model }) => model);

  /** An import makes, changes and deletes rows of every model: who may not do one of these with one of them may not begin. */
  function requireMayImport({ actor }: Caller): void {
    const isAllowed = models.every(({ access }) =>
      [access.create, access.update, access.delete].every((level) => level !== null && actor.level >= level),
    );
    if (!isAllowed) throw new AppError("permission_denied");
  }

  async function requireImport(id: number): Promise<ImportRow> {
    const row = await selectImport(pool, id);
    if (!row) throw new AppError("not_found");
    return row;
  }

  async function toAnswer({ lang: reader }: Caller, row: ImportRow): Promise<ImportAnswer> {
    const { document, format, lang } = row;
    const answers = row.answers ?? NO_ANSWERS;
    const hasFile = row.state === "draft" && document !== null;
    const plan = hasFile
      ? await withFaults(() => imports.plan({ document, format, lang, answers, reader }))
      : null;
    return { entry: toEntry(row, await selectUndoable(pool)), answers, plan };
  }

  /** Pages of this process are drawn anew from here on; other processes receive the notices. */
  function announce(): void {
    for (const { key } of models) feed.announce(key);
  }

  return {
    async list(caller) {
      requireMayImport(caller);
      const undoable = await selectUndoable(pool);
      const rows = await selectImports(pool, LISTED);
      return rows.map((row) => toEntry(row, undoable));
    },

    async create(caller, { file_name: fileName, lang, text, encoding }) {
      requireMayImport(caller);
      const bytes = Buffer.from(text, encoding ?? "utf8");
      const { document, format } = await withFaults(() => readImported(bytes));
      // Its faults first: a file that can't be imported is no draft.
      await withFaults(() => imports.plan({ document, format, lang, reader: caller.lang }));
      const id = await insertDraft(pool, { fileName, lang, format, document, userId: caller.actor.userId });
      await pruneImports(pool);
      return toAnswer(caller, await requireImport(id));
    },

    async read(caller, id) {
      requireMayImport(caller);
      return toAnswer(caller, await requireImport(id));
    },

    async answer(caller, id, answers) {
      requireMayImport(caller);
      await requireImport(id);
      await updateAnswers(pool, id, answers);
      return toAnswer(caller, await requireImport(id));
    },

    async apply(caller, id, { answers, fingerprint }) {
      requireMayImport(caller);
      const { document, format, lang, file_name: fileName, state } = await requireImport(id);
      if (state !== "draft" || document === null) throw new AppError("import_over");
      const file = { document, format, lang, answers, reader: caller.lang };
      const plan = await withFaults(() => imports.plan(file));
      if (plan.fingerprint !== fingerprint) throw new AppError("import_stale");
      const backup = plan.is_gentle ? undefined : await backUp();
      const { actor } = caller;
      await withFaults(() => imports.apply({ ...file, actor, fileName, draftId: id, fingerprint }));
      if (backup !== undefined) await updateBackupFile(pool, id, basename(backup));
      announce();
      return toAnswer(caller, await requireImport(id));
    },

    async undo(caller, id, isPartial) {
      requireMayImport(caller);
      const { restoredCount, left } = await imports.undo({
        id,
        actor: caller.actor,
        isPartial,
        lang: caller.lang,
      });
      announce();
      const { entry } = await toAnswer(caller, await requireImport(id));
      return { entry, restored_count: restoredCount, left: [...left] };
    },
  };
}
