import type { Language } from "#contract/languages.ts";
import type { Queryable } from "../../db/pool.ts";
import type { composeMail, MailSite } from "../compose.ts";
import type { MailSecrets } from "../secrets.ts";
import { type LeasedMessage, leaseMessages, renewLeases } from "./lease-store.ts";
import {
  buildMessage,
  parseStoredMail,
  type ReturnPath,
  type ReturnPathKind,
  type Sender,
  StoredMailError,
} from "./message.ts";
import { type Outcome, type RecordDeps, recordOutcome, toFaultDetails, toRefusal } from "./outcome.ts";
import { findSenderRefusal, isBehindSender, MailRefusedError, type MailTransport } from "./transports.ts";

const MAX_AT_ONCE = 3;
/** What a process that died was sending is free again after this. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** Where other processes send too, a mail isn't handed over by a lease that is older: the rest is for clocks and for what is on the wire. */
const BELIEF_MS = 8_000;

/** Another process may send the mail by now: nothing is written down of this attempt. */
class LeaseOverError extends Error {
  override name = "LeaseOverError";
}

/** A mail in hand. */
interface Hold {
  attempts: number;
  /** Of the steady clock: before the lease was asked for. */
  since: number;
  /** Aborted once it is lost, or may be. */
  ended: AbortController;
  work: Promise<void>;
}

export interface WorkerDeps extends RecordDeps {
  secrets: MailSecrets;
  transport: MailTransport;
  sender: Sender;
  returnPath: ReturnPath;
  compose: typeof composeMail;
  site: {
    /** Whose site it is, perhaps empty, and what they say in mails. */
    getOwner(lang: Language): Promise<Pick<MailSite, "name" | "words" | "accent">>;
    /** Where its pages are, without a trailing slash. */
    getOrigin(): string;
  };
  log: Record<"debug" | "info" | "warn" | "error", (details: object, message: string) => void>;
  renewEveryMs?: number;
  /** Whether other processes send too. Alone, an attempt goes on while the database is away: nobody else takes the mail. */
  isShared?: boolean;
  steadyMs?: () => number;
}

/** Sends what the outbox holds. */
export interface OutboxWorker {
  /**
   * Takes what is due as far as there is room. `onlyId`: that message and no other.
   * @throws what the database throws: then nothing was taken.
   */
  lease(db: Queryable, onlyId?: number): Promise<LeasedMessage[]>;
  /** Begins to send what was leased. */
  begin(leased: readonly LeasedMessage[]): void;
  /** Resolves when nothing is being sent. Never throws. */
  settle(): Promise<void>;
}

/** `onDone` is called for each message that leaves room for another, when what became of it is written. */
export function createOutboxWorker(deps: WorkerDeps, onDone: (id: number) => void = () => {}): OutboxWorker {
  const { pool, log, now, renewEveryMs = RENEW_EVERY_MS, isShared = false } = deps;
  const { steadyMs = () => performance.now() } = deps;
  const active = new Map<number, Hold>();
  const leasedAt = new WeakMap<LeasedMessage, number>();
  let renewing: NodeJS.Timeout | undefined;

  const toLeaseEnd = () => new Date(now().getTime() + LEASE_MS);

  const isOver = ({ since }: Hold) => isShared && steadyMs() - since > BELIEF_MS;

  async function send(row: LeasedMessage, hold: Hold): Promise<string> {
    const mail = parseStoredMail(row, deps.secrets);
    const origin = deps.site.getOrigin();
    const stopUrl = `${origin}/api/mail/unsubscribe/${row.token}/`;
    const composed = deps.compose(mail, { ...(await deps.site.getOwner(mail.language)), origin, stopUrl });
    return deliver((path) => {
      if (isOver(hold)) hold.ended.abort(new LeaseOverError("the lease of the mail is over"));
      hold.ended.signal.throwIfAborted();
      return deps.transport.deliver({
        id: row.id,
        createdAt: row.created_at,
        message: buildMessage(row, composed, deps.sender, stopUrl, path),
        signal: hold.ended.signal,
      });
    });
  }

  /** Where the server refuses a return path of the mail's own, it goes at once with the sender's plain address. */
  async function deliver(hand: (path: ReturnPathKind) => Promise<string>): Promise<string> {
    const { returnPath } = deps;
    if ((await returnPath.choose()) === "sender") return hand("sender");
    try {
      const response = await hand("verp");
      await returnPath.noteTaken();
      return response;
    } catch (error) {
      const answer = findSenderRefusal(error);
      if (answer === undefined) throw error;
      return handPlain(
        () => hand("sender"),
        () => returnPath.noteRefused(answer),
      );
    }
  }

  /** Only a server that takes the plain address is remembered: one that refuses that too refuses us. */
  async function handPlain(hand: () => Promise<string>, noteRefused: () => Promise<void>): Promise<string> {
    try {
      const response = await hand();
      await noteRefused();
      return response;
    } catch (error) {
      if (isBehindSender(error)) await noteRefused();
      throw error;
    }
  }

  /** Undefined: the mail is another process's by now. */
  async function trySending(row: LeasedMessage, hold: Hold): Promise<Outcome | undefined> {
    const details = { id: row.id, kind: row.kind, attempt: row.attempts };
    try {
      const response = await send(row, hold);
      log.debug(details, "a mail was sent");
      return { kind: "sent", response };
    } catch (error) {
      if (hold.ended.signal.aborted) {
        log.warn(details, "a mail was not sent: its lease ended before");
        return undefined;
      }
      const response = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof MailRefusedError || error instanceof StoredMailError;
      const fault = toFaultDetails(isFinal ? (error.cause ?? error) : error);
      log.warn({ ...details, ...fault }, "a mail was not sent");
      if (!isFinal) return { kind: "later", response, fault };
      return { kind: "refused", response, fault, refusal: toRefusal(error) };
    }
  }

  /** The row stays in hand, and its lease is renewed, until its result is written. */
  async function handle(row: LeasedMessage, hold: Hold): Promise<void> {
    const outcome = await trySending(row, hold);
    if (outcome) await recordOutcome(deps, row, outcome);
  }

  async function renew(): Promise<void> {
    const since = steadyMs();
    const held = [...active];
    const leases = held.map(([id, { attempts }]) => ({ id, attempts }));
    try {
      const renewed = await renewLeases(pool, leases, toLeaseEnd());
      for (const [id, hold] of held) if (renewed.has(id)) hold.since = since;
    } catch (error) {
      log.error({ err: error }, "mails that are being sent could not be kept");
    }
    for (const hold of active.values())
      if (isOver(hold)) hold.ended.abort(new LeaseOverError("the lease of the mail is over"));
  }

  function start(row: LeasedMessage): void {
    renewing ??= setInterval(() => void renew(), renewEveryMs).unref();
    const hold: Hold = {
      attempts: row.attempts,
      since: leasedAt.get(row) ?? steadyMs(),
      ended: new AbortController(),
      work: Promise.resolve(),
    };
    active.set(row.id, hold);
    hold.work = handle(row, hold).then(() => {
      active.delete(row.id);
      if (active.size === 0) {
        clearInterval(renewing);
        renewing = undefined;
      }
      onDone(row.id);
    });
  }

  return {
    async lease(db, onlyId) {
      const limit = MAX_AT_ONCE - active.size;
      if (limit <= 0) return [];
      const inHand = [...active.keys()];
      const { addressSecrets } = deps.secrets;
      const since = steadyMs();
      const leased = await leaseMessages(db, {
        now: now(),
        leaseUntil: toLeaseEnd(),
        limit,
        inHand,
        addressSecrets,
        onlyId,
      });
      for (const row of leased) leasedAt.set(row, since);
      return leased;
    },
    begin(leased) {
      for (const row of leased) {
        if (row.status === "sending") start(row);
        else {
          const what = row.status === "held" ? "a mail waits for a release" : "a mail is not sent any more";
          log.info({ id: row.id, kind: row.kind, status: row.status }, what);
          onDone(row.id);
        }
      }
    },
    async settle() {
      while (active.size > 0) await Promise.all([...active.values()].map(({ work }) => work));
    },
  };
}
