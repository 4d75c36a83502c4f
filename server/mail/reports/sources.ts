import { randomBytes } from "node:crypto";
import type pg from "pg";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import {
  type MailSource,
  type MailSourceName,
  type MailSourcesAnswer,
  RETURN_TEST_TARGETS,
} from "#contract/mail/sources.ts";
import en from "#locales/en/mail-reports.json" with { type: "json" };
import tr from "#locales/tr/mail-reports.json" with { type: "json" };
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { MailService } from "../service.ts";
import { translateRefusal } from "./report-source.ts";
import {
  countUnread,
  dropConfirmation,
  lockTests,
  type StoredSource,
  type StoredTest,
  selectLastEvents,
  selectLatestTest,
  selectSources,
  selectTestsSince,
  selectUnreadable,
} from "./report-store.ts";
import { returnedSource } from "./returned/returned-source.ts";

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;

/**
 * What each source can report, where it is set up. A server's answer at our hand-over says nothing of arrival. Complaints among
 * returned mail are read whatever address they came to, but providers send them only to the address that was set up there.
 */
const WAYS: Readonly<
  Record<MailSourceName, { isWebhook: boolean; deliveries: boolean; complaints: boolean }>
> = {
  outbox: { isWebhook: false, deliveries: false, complaints: false },
  ses: { isWebhook: true, deliveries: true, complaints: true },
  postmark: { isWebhook: true, deliveries: true, complaints: true },
  mailgun: { isWebhook: true, deliveries: true, complaints: true },
  signed: { isWebhook: true, deliveries: true, complaints: true },
  returned: { isWebhook: false, deliveries: false, complaints: false },
};
const NAMES = Object.keys(WAYS) as MailSourceName[]; // the record's own keys

/** Amazon returns what is sent there, and its figures don't count it. */
const SIMULATOR = "bounce@simulator.amazonses.com";

type TargetName = (typeof RETURN_TEST_TARGETS)[number];

const MINUTE_MS = 60_000;
/** A report that takes longer is still taken, and nobody has to wait for it. */
const UNDER_WAY_MS = 10 * MINUTE_MS;
const TESTS_MAX = 6;
const TESTS_WINDOW_MS = 60 * MINUTE_MS;

/** The caller, the address of the site that they use, and their language. */
export interface SourcesCaller {
  actor: SignedIn;
  lang: Language;
  origin: string;
}

export interface MailSources {
  get(caller: SourcesCaller): Promise<MailSourcesAnswer>;
  /** @throws AppError validation_failed, return_test_under_way, too_many_return_tests */
  test(target: TargetName, caller: SourcesCaller): Promise<MailSourcesAnswer>;
  /** Somebody opened the provider's link. */
  confirm(name: MailSourceName, caller: SourcesCaller): Promise<MailSourcesAnswer>;
}

export interface MailSourcesDeps {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  /** Ways in that are set up, by their names. */
  names: readonly string[];
  /** Providers have an address of ours for complaints. */
  hasFeedbackAddress: boolean;
  /** Makes an address that returns mail; undefined: mails are files. */
  toReturningAddress: ((name: string) => string) | undefined;
  /** Of `mail.message`, for the log. */
  getContentTypeId: () => number | null;
  now: () => Date;
}

const toIso = (moment: string) => new Date(moment).toISOString();
const toIsoOrNull = (moment: string | null | undefined) => (moment ? toIso(moment) : null);

/**
 * A name that no mailbox has. Each test has its own: servers and providers remember addresses that returned mail, and answer
 * for them without asking.
 */
function toNobody(): string {
  return `no-mailbox-${randomBytes(6).toString("hex")}`;
}

function toState({ status, source }: StoredTest): "queued" | "waiting" | "reported" | "refused" {
  if (source !== null) return "reported";
  if (status === "sent") return "waiting";
  return status === "pending" || status === "sending" ? "queued" : "refused";
}

function toTest(stored: StoredTest, lang: Language): NonNullable<MailSourcesAnswer["test"]> {
  const { email, created_at, status, response, sent_at, source, reported_at } = stored;
  const ownWords: Readonly<Record<string, string>> = {
    suppressed: TEXTS[lang].trialSuppressed,
    expired: TEXTS[lang].trialExpired,
  };
  const tookMs = sent_at && reported_at ? Date.parse(reported_at) - Date.parse(sent_at) : null;
  return {
    email,
    asked_at: toIso(created_at),
    state: toState(stored),
    source: NAMES.find((name) => name === source) ?? null,
    // A report can overtake the note that the mail was handed over.
    took_seconds: tookMs === null ? null : Math.max(0, Math.round(tookMs / 1000)),
    response: ownWords[status] ?? response,
  };
}

export function createMailSources(deps: MailSourcesDeps): MailSources {
  const { pool, mail, names, hasFeedbackAddress, toReturningAddress, getContentTypeId, now } = deps;
  let nobody = toNobody();

  /** Where mails are files, or nothing is reported, a test would wait for ever. */
  function listTargets(): MailSourcesAnswer["targets"] {
    if (!toReturningAddress || names.length === 0) return [];
    const emails: Record<TargetName, string | undefined> = {
      own: toReturningAddress(nobody),
      simulator: names.includes("ses") ? SIMULATOR : undefined,
    };
    return RETURN_TEST_TARGETS.flatMap((name) => {
      const email = emails[name];
      return email === undefined ? [] : [{ name, email }];
    });
  }

  function toSource(
    name: MailSourceName,
    stored: StoredSource | undefined,
    reported: { at: string | undefined; unreadable: { count: number; first: number } | undefined },
    { actor, origin, lang }: SourcesCaller,
  ): MailSource {
    const { isWebhook, deliveries, complaints } = WAYS[name];
    const isSuperuser = actor.level >= ACCESS_LEVEL.superuser;
    return {
      name,
      is_set_up: name === "outbox" ? toReturningAddress !== undefined : names.includes(name),
      tells_deliveries: deliveries,
      tells_complaints: complaints || (name === returnedSource.name && hasFeedbackAddress),
      webhook_url: isWebhook ? `${origin}/api/mail/webhooks/${name}/` : null,
      last_event_at: toIsoOrNull(reported.at),
      refused_at: toIsoOrNull(stored?.refused_at),
      refusal: stored?.refusal ? translateRefusal(stored.refusal, lang) : null,
      confirmation: stored?.confirmation_at
        ? {
            topic: stored.confirmation_topic ?? "",
            asked_at: toIso(stored.confirmation_at),
            // The link holds a token that makes somebody else's topic report to us.
            url: isSuperuser ? stored.confirmation_url : null,
          }
        : null,
      unreadable: reported.unreadable?.count ?? 0,
      first_unreadable_id: isSuperuser ? (reported.unreadable?.first ?? null) : null,
    };
  }

  async function get(caller: SourcesCaller): Promise<MailSourcesAnswer> {
    const [stored, events, unreadable, unread, test] = await Promise.all([
      selectSources(pool),
      selectLastEvents(pool, NAMES),
      selectUnreadable(pool),
      countUnread(pool),
      selectLatestTest(pool, now()),
    ]);
    const sources = NAMES.map((name) => {
      const reported = {
        at: events.get(name),
        unreadable: unreadable.find(({ source }) => source === name),
      };
      return toSource(
        name,
        stored.find((source) => source.name === name),
        reported,
        caller,
      );
    });
    return { sources, unread, targets: listTargets(), test: test ? toTest(test, caller.lang) : null };
  }

  /** @throws AppError where one is under way, or there were too many. */
  async function requireRoom(db: Queryable): Promise<void> {
    const time = now().getTime();
    const latest = await selectLatestTest(db, now());
    const state = latest && toState(latest);
    if (latest && (state === "queued" || state === "waiting"))
      refuseWhile("return_test_under_way", Date.parse(latest.created_at) + UNDER_WAY_MS - time);
    const asked = await selectTestsSince(db, new Date(time - TESTS_WINDOW_MS));
    const first = asked[TESTS_MAX - 1];
    if (first) refuseWhile("too_many_return_tests", Date.parse(first) + TESTS_WINDOW_MS - time);
  }

  return {
    get,

    async test(name, caller) {
      const target = listTargets().find((one) => one.name === name);
      if (!target)
        throw new AppError("validation_failed", {
          fields: [{ field: "target", code: "return_target_missing" }],
        });
      await withTransaction(pool, async (db) => {
        await lockTests(db);
        await requireRoom(db);
        const { email } = target;
        await mail.queue(db, { kind: "return_test", recipient: email, language: caller.lang });
        const queued = await selectLatestTest(db, now());
        await recordAudit(db, caller.actor, {
          action: "CREATE",
          detail: "return_test",
          contentTypeId: getContentTypeId(),
          objectId: queued?.id ?? null,
          objectRepr: email,
        });
      });
      nobody = toNobody();
      return get(caller);
    },

    async confirm(name, caller) {
      await withTransaction(pool, async (db) => {
        if (!(await dropConfirmation(db, name))) return;
        await recordAudit(db, caller.actor, { action: "UPDATE", detail: "mail_confirmed", objectRepr: name });
      });
      return get(caller);
    },
  };
}

/** @throws AppError with the time to wait, as long as there is any. */
function refuseWhile(code: "return_test_under_way" | "too_many_return_tests", waitMs: number): void {
  if (waitMs <= 0) return;
  const vars = { minutes: Math.ceil(waitMs / MINUTE_MS), max: TESTS_MAX };
  throw new AppError(code, { vars, retryAfterS: Math.ceil(waitMs / 1000) });
}
