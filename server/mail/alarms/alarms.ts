import type pg from "pg";
import { toDaysStart } from "#contract/content/lists.ts";
import type { Language } from "#contract/languages.ts";
import { ALARM_KINDS, type MailAlarm, type MailHoldAnswer } from "#contract/mail/health.ts";
import { recordAudit } from "../../audit/service.ts";
import { type Actor, SYSTEM_ACTOR } from "../../base/actor.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { notifyChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import { withRetriedTransaction } from "../../db/transaction.ts";
import { selectAddressFacts } from "../address/address-store.ts";
import type { OutgoingMail } from "../kind.ts";
import { MESSAGE_MODEL } from "../outbox/message.ts";
import { toAddressKey } from "../secrets.ts";
import {
  countHeld,
  countNews,
  discardHeld,
  freeHeld,
  insertAlarm,
  lockAlarms,
  markMailed,
  releaseAlarms,
  selectOpen,
  selectUnreachable,
  wasMailedSince,
} from "./alarm-store.ts";
import { type AlarmKind, judgeAlarm, type MailRules, type ReadMailRules, RULES_MODEL } from "./rules.ts";

const ALARM_MODEL = "mail.alarm";

/** Somebody to notify of an alarm. `userId`: null where the address is no account's. */
interface StaffAddress {
  email: string;
  language: Language;
  userId: number | null;
}

export interface AlarmDeps {
  pool: pg.Pool;
  rules: ReadMailRules;
  mail: { queue(db: Queryable, mail: OutgoingMail): Promise<void> };
  /** The owner and people with access to the console. */
  listStaff(db: Queryable): Promise<readonly StaffAddress[]>;
  /** No source reports mails that arrived: taken by the next server counts as such. */
  isAccepted: boolean;
  /** Of the hashes that stand for addresses of deleted accounts. */
  addressSecrets: readonly Buffer[];
  /** Of `mail.alarm`, so that its history shows who released it. */
  getContentTypeId: () => number | null;
  now: () => Date;
}

/** Alarms about returned mail and complaints, and the optional mail that waits because of them. */
export interface MailAlarms {
  /**
   * Begins the alarms that are due, notifies staff once a day, and lets go of held mail that nothing holds any more. However many
   * processes look, one alarm of a kind stands. @throws what the database throws.
   */
  evaluate(): Promise<void>;
  getHold(): Promise<MailHoldAnswer>;
  /** Ends every alarm; held mail is due at once. */
  release(actor: Actor): Promise<MailHoldAnswer>;
  /** Ends every alarm; held mail is never sent. */
  discard(actor: Actor): Promise<MailHoldAnswer>;
}

/** What the mail says of the alarms that stand. */
function toMailValues(alarms: readonly MailAlarm[]) {
  const of = (kind: AlarmKind, name: "count" | "total" | "days") =>
    String(alarms.find((alarm) => alarm.kind === kind)?.[name] ?? "");
  return {
    bounces: of("bounces", "count"),
    bouncesTotal: of("bounces", "total"),
    bouncesDays: of("bounces", "days"),
    complaints: of("complaints", "count"),
    complaintsTotal: of("complaints", "total"),
    complaintsDays: of("complaints", "days"),
    holds: alarms.some(({ holds }) => holds) ? ("yes" as const) : ("no" as const),
  };
}

export function createMailAlarms(deps: AlarmDeps): MailAlarms {
  const { pool, rules, mail, getContentTypeId, now } = deps;

  const noteBegin = (db: Queryable, { id, kind }: Pick<MailAlarm, "id" | "kind">) =>
    recordAudit(db, SYSTEM_ACTOR, {
      action: "CREATE",
      detail: "alarm",
      contentTypeId: getContentTypeId(),
      objectId: id,
      objectRepr: kind,
    });

  async function begin(db: Queryable, stands: MailRules): Promise<void> {
    const { days, alarm_holds: holds } = stands;
    const start = toDaysStart(days, now().getTime());
    const news = await countNews(db, { start, isAccepted: deps.isAccepted });
    for (const kind of ALARM_KINDS) {
      const judged = judgeAlarm(kind, news[kind], stands);
      if (!judged) continue;
      const id = await insertAlarm(db, { kind, ...news[kind], ...judged, days, holds }, now());
      if (id === undefined) continue;
      await noteBegin(db, { id, kind });
      await notifyChange(db, ALARM_MODEL);
    }
  }

  /** Staff whom a mail would reach, and the addresses of those whom none would. */
  async function splitStaff(
    db: Queryable,
  ): Promise<{ reached: readonly StaffAddress[]; unreachable: string[] }> {
    const staff = await deps.listStaff(db);
    const addresses = staff.map(({ email }) => email);
    const unreachable = await selectUnreachable(db, addresses, {
      now: now(),
      addressSecrets: deps.addressSecrets,
    });
    return { reached: staff.filter(({ email }) => !unreachable.includes(email)), unreachable };
  }

  /** An alarm that begins after today's mail is mailed tomorrow, if it stands by then. */
  async function notifyStaff(db: Queryable): Promise<void> {
    const open = await selectOpen(db);
    const unmailed = open.filter(({ mailed_at }) => mailed_at === null);
    if (unmailed.length === 0 || (await wasMailedSince(db, toDaysStart(1, now().getTime())))) return;
    const { reached } = await splitStaff(db);
    if (reached.length === 0) return;
    for (const { email, language, userId } of reached) {
      const person = userId === null ? {} : { userId };
      await mail.queue(db, {
        kind: "delivery_alarm",
        recipient: email,
        language,
        ...person,
        ...toMailValues(open),
      });
    }
    await markMailed(
      db,
      unmailed.map(({ id }) => id),
      now(),
    );
    await notifyChange(db, ALARM_MODEL);
  }

  async function end(actor: Actor, way: HoldEnd): Promise<MailHoldAnswer> {
    await withRetriedTransaction(pool, (db) =>
      endHold(db, { actor, way, contentTypeId: getContentTypeId(), now: now() }),
    );
    return getHold();
  }

  /** Those to whom the latest mail came back for good. */
  async function listReturned(addresses: readonly string[]): Promise<string[]> {
    const facts = await selectAddressFacts(pool, addresses.map(toAddressKey), {
      now: deps.now(),
      addressSecrets: deps.addressSecrets,
    });
    const keys = new Set(
      facts.filter(({ returned }) => returned?.bounce_type === "Permanent").map(({ key }) => key),
    );
    return addresses.filter((address) => keys.has(toAddressKey(address)));
  }

  async function getHold(): Promise<MailHoldAnswer> {
    const alarms = await selectOpen(pool);
    const { reached, unreachable } = await splitStaff(pool);
    return {
      alarms,
      is_held: alarms.some(({ holds }) => holds),
      held: await countHeld(pool),
      unreachable,
      returned: await listReturned(reached.map(({ email }) => email)),
    };
  }

  return {
    evaluate: () =>
      withRetriedTransaction(pool, async (db) => {
        await lockAlarms(db);
        await begin(db, await rules.get(db));
        await notifyStaff(db);
        await letGo(db, now());
      }),

    getHold,
    release: (actor) => end(actor, "release"),
    discard: (actor) => end(actor, "discard"),
  };
}

async function letGo(db: Queryable, now: Date): Promise<number> {
  const freed = await freeHeld(db, now);
  if (freed > 0) await notifyChange(db, MESSAGE_MODEL);
  return freed;
}

/** What becomes of held mail. */
export type HoldEnd = "release" | "discard";

/** Ends every alarm, in the caller's transaction. @returns how many held mails were sent on, or given up. */
export async function endHold(
  db: Queryable,
  { actor, way, contentTypeId, now }: { actor: Actor; way: HoldEnd; contentTypeId: number | null; now: Date },
): Promise<number> {
  await lockAlarms(db);
  const discarded = way === "discard" ? await discardHeld(db, now) : 0;
  for (const { id, kind } of await releaseAlarms(db, { userId: actor.userId, now })) {
    await recordAudit(db, actor, {
      action: "UPDATE",
      detail: way === "discard" ? "discard" : "release",
      contentTypeId,
      objectId: id,
      objectRepr: kind,
      changes: { released_at: { before: null, after: now.toISOString() } },
    });
    await notifyChange(db, ALARM_MODEL);
  }
  if (discarded > 0) await notifyChange(db, MESSAGE_MODEL);
  return discarded + (await letGo(db, now));
}

/** Whatever notice was lost, nothing waits longer than this. */
const LOOK_EVERY_MS = 30_000;
/** Many reports come together: they are looked at once. */
const AFTER_NEWS_MS = 3_000;

const NEWS: ReadonlySet<string | undefined> = new Set([
  "mail.bounce",
  "mail.complaint",
  RULES_MODEL,
  undefined,
]);

export interface WatchDeps {
  alarms: Pick<MailAlarms, "evaluate">;
  feed: Pick<ChangeFeed, "subscribe">;
  log: Record<"error", (details: object, message: string) => void>;
  afterNewsMs?: number;
  lookEveryMs?: number;
}

/** Looks for alarms soon after something came back or was complained of, and by the clock. */
export function createAlarmWatch(deps: WatchDeps): { start(): void; close(): Promise<void> } {
  const { alarms, feed, log, afterNewsMs = AFTER_NEWS_MS, lookEveryMs = LOOK_EVERY_MS } = deps;
  let isOpen = false;
  let looking: Promise<void> = Promise.resolve();
  let soon: NodeJS.Timeout | undefined;
  let clock: NodeJS.Timeout | undefined;

  /** One look behind the other. */
  function look(): void {
    looking = looking.then(async () => {
      if (!isOpen) return;
      await alarms
        .evaluate()
        .catch((error: unknown) => log.error({ err: error }, "alarms about mail can't be looked for now"));
    });
  }

  feed.subscribe((modelKey) => {
    if (!isOpen || !NEWS.has(modelKey)) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      look();
    }, afterNewsMs).unref();
  });

  return {
    start() {
      isOpen = true;
      clock = setInterval(look, lookEveryMs).unref();
      look();
    },
    async close() {
      isOpen = false;
      clearInterval(clock);
      clearTimeout(soon);
      await looking;
    },
  };
}
