import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import {
  type ImportRequest,
  importRequest,
  liftRequest,
  type SuppressionsAnswer,
  type SuppressRequest,
  suppressionsAnswer,
  suppressRequest,
  undoRequest,
} from "#contract/mail/suppressions.ts";
import { findContactFault } from "#contract/site/contact.ts";
import { isStorable } from "#contract/values.ts";
import en from "#locales/en/mail-suppressions.json" with { type: "json" };
import tr from "#locales/tr/mail-suppressions.json" with { type: "json" };
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Floor } from "../../floor.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "../../http/bearer.ts";
import { getApiLanguage } from "../../http/request.ts";
import type { App } from "../../http/zod.ts";
import { fill } from "../content.ts";
import { toAddressKey } from "../secrets.ts";
import type { Lifted, Suppressions } from "./suppressions.ts";

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;
const UNDO_PATH = "/api/mail/suppressions/undo/";
const SHOWN_INVALID_MAX = 20;

interface Caller {
  actor: SignedIn;
  lang: Language;
}

/** What staff do to the list of suppressed addresses, each call with a reason and its undo. @throws AppError step_up_required, all. */
interface SuppressionCalls {
  add(request: SuppressRequest, caller: Caller): Promise<SuppressionsAnswer>;
  addText(request: ImportRequest, caller: Caller): Promise<SuppressionsAnswer>;
  lift(request: { ids: readonly number[]; reason: string }, caller: Caller): Promise<SuppressionsAnswer>;
  /** @throws AppError nothing_to_undo. */
  undo(batchId: string, caller: Caller): Promise<SuppressionsAnswer>;
}

/** Lines of a file: of csv the first column, without its quotes; a heading is no address and is left out without a word. */
function readLines(text: string): string[] {
  const cells = text.split(/\r\n|\r|\n/).map((line) => /^\s*"?([^",;\t]*)/.exec(line)?.[1]?.trim() ?? "");
  const [heading, ...rest] = cells;
  const isHeading = heading !== undefined && !heading.includes("@");
  return (isHeading ? rest : cells).filter(Boolean);
}

export function createSuppressionCalls(deps: {
  pool: pg.Pool;
  suppressions: Suppressions;
  /** Mails that suppressions stopped which don't hold any more. */
  findStopped(db: Queryable, lifted: readonly Lifted[]): Promise<number[]>;
  requireRecent: Floor["requireRecent"];
}): SuppressionCalls {
  const { pool, suppressions, findStopped, requireRecent } = deps;

  function toAnswer(
    what: {
      message: "added" | "lifted" | "undone";
      changed: number;
      unchanged?: number;
      invalid?: readonly string[];
      stopped?: number[];
    },
    batchId: string | null,
    lang: Language,
  ): SuppressionsAnswer {
    const { changed, unchanged = 0, invalid = [], stopped = [] } = what;
    const isOne = changed === 1 && what.message !== "undone";
    const message = isOne ? (`${what.message}_one` as keyof typeof en) : what.message;
    return {
      success: changed > 0,
      message: fill(TEXTS[lang][changed > 0 ? message : "unchanged"], { count: changed }),
      changed,
      unchanged,
      invalid: invalid.slice(0, SHOWN_INVALID_MAX),
      invalid_count: invalid.length,
      undo: changed > 0 && batchId ? { path: UNDO_PATH, body: { batch_id: batchId } } : null,
      stopped,
    };
  }

  const add: SuppressionCalls["add"] = ({ addresses, scope, reason, expires_at }, { actor, lang }) =>
    withTransaction(pool, async (db) => {
      const isValid = (address: string) => isStorable(address) && !findContactFault("email", address.trim());
      const wanted = addresses.filter(isValid).map((address) => ({
        address,
        scope,
        reason,
        source: "admin",
        sourceEventId: null,
        expiresAt: expires_at ?? null,
      }));
      const batchId = randomUUID();
      const made = await suppressions.suppressMany(db, wanted, { actor, batchId, detail: "suppress" });
      await requireRecent(actor, db);
      const changed = [...made.values()].filter(({ isNew }) => isNew).length;
      const invalid = addresses.filter((address) => !isValid(address));
      return toAnswer({ message: "added", changed, unchanged: made.size - changed, invalid }, batchId, lang);
    });

  return {
    add,

    addText({ text, ...rest }, caller) {
      const addresses = [...new Map(readLines(text).map((line) => [toAddressKey(line), line])).values()];
      return add({ ...rest, addresses }, caller);
    },

    lift: ({ ids, reason }, { actor, lang }) =>
      withTransaction(pool, async (db) => {
        const batchId = randomUUID();
        const author = { actor, batchId, detail: "lift" };
        const lifted = await suppressions.lift(db, ids, author, reason);
        await requireRecent(actor, db);
        const changed = lifted.length;
        const stopped = await findStopped(db, lifted);
        const unchanged = ids.length - changed;
        return toAnswer({ message: "lifted", changed, unchanged, stopped }, batchId, lang);
      }),

    undo: (batchId, { actor, lang }) =>
      withTransaction(pool, async (db) => {
        const { undone, kept, lifted } = await suppressions.undo(db, batchId, actor);
        if (undone === 0) throw new AppError("nothing_to_undo");
        await requireRecent(actor, db);
        const stopped = await findStopped(db, lifted);
        return toAnswer({ message: "undone", changed: undone, unchanged: kept, stopped }, null, lang);
      }),
  };
}

/** Five thousand addresses of the length that people have. */
const BODY_MAX_BYTES = 512 * 1024;

/** The list of suppressed addresses is read through its content model; it is changed here alone, each time with a reason. */
export function registerSuppressionRoutes(
  app: App,
  { calls, requireLevel }: { calls: SuppressionCalls; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin), bodyLimit: BODY_MAX_BYTES };
  const about = { tags: ["mail"], security: SIGNED_IN };
  const response = { 200: suppressionsAnswer };
  const toCaller = (request: FastifyRequest) => ({
    actor: requireActor(request),
    lang: getApiLanguage(request),
  });

  app.post(
    "/api/mail/suppressions/",
    { ...guard, schema: { ...about, summary: "Stop mails to addresses", body: suppressRequest, response } },
    (request) => calls.add(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/import/",
    {
      ...guard,
      schema: { ...about, summary: "Stop mails to the addresses of a file", body: importRequest, response },
    },
    (request) => calls.addText(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/lift/",
    { ...guard, schema: { ...about, summary: "Let addresses get mail again", body: liftRequest, response } },
    (request) => calls.lift(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/undo/",
    { ...guard, schema: { ...about, summary: "Undo such a call", body: undoRequest, response } },
    (request) => calls.undo(request.body.batch_id, toCaller(request)),
  );
}
