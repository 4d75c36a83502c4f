import type pg from "pg";
import type { AlertKind, AlertsAnswer } from "#contract/alerts.ts";
import { type Language, pickText } from "#contract/languages.ts";
import en from "#locales/en/alerts.json" with { type: "json" };
import tr from "#locales/tr/alerts.json" with { type: "json" };
import { ALERT_MODEL, NOBODYS_WEIGHT, raiseAlert } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction, withTransaction } from "#server/db/transaction.ts";
import type { MailService, OutgoingMail, ReadMailStates } from "#server/mail/service.ts";
import {
  lockDueAlerts,
  markAlertsMailed,
  markAlertsSeen,
  type StoredAlert,
  selectUnseenAlert,
  swapKnownKeys,
} from "./store.ts";

const TEXTS = { en, tr } as const;

/** Of a kind, in whichever way it came about. */
function pickTemplate({ kind, weight, count }: StoredAlert, lang: Language): string {
  const texts = TEXTS[lang];
  // Not by the person, who may have deleted their account since.
  if (kind === "failed_log_ins" && weight === NOBODYS_WEIGHT) return texts.failed_log_ins.site;
  if (kind === "new_staff" && count > 1) return texts.new_staff.many;
  return texts[kind].text;
}

const LOG = "/admin/actions?filter=detail:exact:";

/** Where the console shows more of an alert. */
const PATHS: Readonly<Record<AlertKind, (person: number | null) => string>> = {
  token_reuse: (id) => `${LOG}token_reuse${ofPerson(id)}`,
  failed_log_ins: (id) => `${LOG}failed_sign_in${ofPerson(id)}`,
  new_staff: (id) => (id === null ? "/admin/users" : `/admin/users/${id}`),
  first_export: (id) => `${LOG}export${ofPerson(id)}`,
  factor_off: (id) => (id === null ? "/admin/users" : `/admin/users/${id}`),
  keys_changed: () => "/admin/health",
  audit_broken: () => "/admin/health",
};

const ofPerson = (id: number | null) => (id === null ? "" : `&filter=user:exact:${id}`);

/** What happened, in a language. */
function describeAlert(alert: StoredAlert, lang: Language) {
  const vars: Readonly<Record<string, string>> = {
    person: alert.person ?? TEXTS[lang].gone,
    about: pickText(alert.about, lang),
    count: String(alert.count),
  };
  const text = pickTemplate(alert, lang).replace(
    /\{\{(\w+)\}\}/g,
    (slot, name: string) => vars[name] ?? slot,
  );
  return { title: TEXTS[lang][alert.kind].title, text: text.trim() };
}

/** An owner of the site: a superuser, or who has the owner's address. `userId`: null where it is no account's. */
interface Owner {
  email: string;
  language: Language;
  userId: number | null;
}

/** `total` of the alert counts those of its kind, about people of the same weight, since the last mail. */
function buildMail(alert: StoredAlert, { email, language, userId }: Owner): OutgoingMail {
  return {
    kind: "security_alert",
    recipient: email,
    language,
    ...(userId !== null && { userId }),
    ...describeAlert(alert, language),
    at: alert.created_at,
    by: alert.by ?? "",
    ipAddress: alert.ip_address ?? "",
    more: alert.total > 1 ? String(alert.total - 1) : "",
  };
}

export interface AlertDeps {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  listOwners(db: Queryable): Promise<readonly Owner[]>;
  readMailStates: ReadMailStates;
  /** No server is set up that sends mails. */
  isMailOff: boolean;
  now: () => Date;
}

/** What the owners are alerted of. */
export interface Alerts {
  /** Mails what is due, to every owner whom a mail reaches; what reaches nobody stays due. @throws what the database throws. */
  sendMails(): Promise<void>;
  getUnseen(lang: Language): Promise<AlertsAnswer>;
  markSeen(upTo: number, actor: Actor, lang: Language): Promise<AlertsAnswer>;
}

/** However much happens, an owner gets one mail of a kind in this time, about people of one level of staff, and about all below them. */
const MAIL_EVERY_MS = 60 * 60 * 1000;

export function createAlerts({ pool, mail, listOwners, readMailStates, isMailOff, now }: AlertDeps): Alerts {
  /** Whom a mail may reach, and the addresses of those whom it won't: stopped ones, and those whose latest mail came back. */
  async function splitOwners(db: Queryable) {
    const owners = await listOwners(db);
    const addresses = owners.map(({ email }) => email);
    const states = await readMailStates(db, addresses, "en");
    const isStopped = ({ email }: Owner) => states.get(email)?.scope === "all";
    return {
      reached: owners.filter((owner) => !isStopped(owner)),
      unreachable: addresses.filter((email) => {
        const state = states.get(email);
        return state !== undefined && state.scope !== "optional";
      }),
    };
  }

  async function getUnseen(lang: Language): Promise<AlertsAnswer> {
    const first = await selectUnseenAlert(pool);
    if (!first) return { count: 0, newest: null, up_to: 0, unreachable: [], is_mail_off: isMailOff };
    const { id, kind, created_at: at, total, up_to, user_id } = first;
    const { unreachable } = await splitOwners(pool);
    return {
      count: total,
      newest: { id, kind, at, ...describeAlert(first, lang), path: PATHS[kind](user_id) },
      up_to,
      unreachable,
      is_mail_off: isMailOff,
    };
  }

  return {
    sendMails: () =>
      withRetriedTransaction(pool, async (db) => {
        const due = await lockDueAlerts(db, new Date(now().getTime() - MAIL_EVERY_MS), now());
        if (due.length === 0) return;
        const { reached } = await splitOwners(db);
        if (reached.length === 0) return;
        for (const alert of due) {
          for (const owner of reached) await mail.queue(db, buildMail(alert, owner));
          await markAlertsMailed(db, alert, now());
        }
        await notifyChange(db, ALERT_MODEL);
      }),

    getUnseen,
    async markSeen(upTo, { userId }, lang) {
      await withTransaction(pool, async (db) => {
        const ids = await markAlertsSeen(db, { upTo, userId, now: now() });
        if (ids.length > 0) await notifyChange(db, ALERT_MODEL, toRowChange("updated", ids));
      });
      return getUnseen(lang);
    },
  };
}

/** Alerts where the site's signing keys are others than the last time. `names`: of all that verify, in any order. */
export async function noteKeys(pool: pg.Pool, names: readonly string[]): Promise<void> {
  await withTransaction(pool, async (db) => {
    const before = await swapKnownKeys(db, names.join(" "));
    if (before === null) return;
    const known = before.split(" ");
    if (known.length === names.length && names.every((name) => known.includes(name))) return;
    const what = names.every((name) => known.includes(name)) ? "retired" : "rotated";
    await raiseAlert(db, { kind: "keys_changed", about: { en: en.keys[what], tr: tr.keys[what] } });
  });
}

/** What comes due by the clock alone, and what a lost notice kept back. */
const LOOK_EVERY_MS = 60_000;

/** Mails alerts when there are new ones, and by the clock. One look comes behind the other. */
export function createAlertWatch(deps: {
  alerts: Pick<Alerts, "sendMails">;
  feed: Pick<ChangeFeed, "subscribe">;
  log: { error(details: object, message: string): void };
}): { start(): void; close(): Promise<void> } {
  const { alerts, feed, log } = deps;
  let isOpen = false;
  let isAsked = false;
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (isAsked) return;
    isAsked = true;
    looking = looking.then(async () => {
      isAsked = false;
      if (!isOpen) return;
      await alerts
        .sendMails()
        .catch((error: unknown) =>
          log.error({ err: error }, "alerts can't be mailed now: tried again in a minute"),
        );
    });
  }

  feed.subscribe((modelKey) => {
    if (isOpen && (modelKey === undefined || modelKey === ALERT_MODEL)) look();
  });

  return {
    start() {
      isOpen = true;
      timer = setInterval(look, LOOK_EVERY_MS).unref();
      look();
    },
    async close() {
      isOpen = false;
      clearInterval(timer);
      await looking;
    },
  };
}
