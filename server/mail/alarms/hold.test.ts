import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { checkOutbox } from "#server/health/checks.ts";
import { leaseMessages, markSent, selectNextDue } from "../outbox/lease-store.ts";
import { selectOutboxState } from "../outbox/store.ts";
import { sendDue } from "../outbox/test-outbox.ts";
import { deleteOldMail } from "../retention.ts";
import { createMailStatistics } from "../stats.ts";
import { openTestAlarms, type TestAlarms } from "./test-alarms.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-05-01T10:00:00Z");

let site: TestAlarms;
let delivered: number[];
beforeAll(async () => {
  site = await openTestAlarms();
});
afterAll(() => site.close());
beforeEach(async () => {
  delivered = [];
  site.clock.now = START;
  await site.empty();
  await site.returnMails(5);
  await site.alarms.evaluate();
  await send();
  delivered = [];
});

/** Sends what is due, to nobody. */
async function send(): Promise<void> {
  const transport = {
    async deliver({ id }: { id: number }) {
      delivered.push(id);
      return "250 ok";
    },
    async close() {},
  };
  await sendDue(site.toDeps(transport));
}

async function readMail(recipient: string) {
  const row = (await site.readRows()).find((mail) => mail.recipient === recipient);
  if (!row) throw new Error(`no mail to ${recipient}`);
  return row;
}

/** A receipt that the lease held. */
async function hold(recipient: string): Promise<void> {
  await site.queueReceipt(recipient);
  await send();
  expect(await readMail(recipient)).toMatchObject({ status: "held", delivery_state: "held", attempts: 0 });
}

test("an alarm holds what people can do without, and codes go", async () => {
  await site.queueReceipt("guest@foyer.example");
  await site.mail.queue(site.pool, site.buildCode("new@foyer.example"));
  await send();
  expect(delivered).toEqual([(await readMail("new@foyer.example")).id]);
  expect(await site.alarms.getHold()).toMatchObject({ is_held: true, held: 1 });
});

test("held mail makes nobody look for it, isn't counted as late, and is a mail that waits", async () => {
  await hold("guest@foyer.example");
  site.clock.now += 2 * HOUR_MS;
  expect(await selectNextDue(site.pool)).toBeUndefined();
  const state = await selectOutboxState(site.pool, site.now());
  expect([state, checkOutbox(state).status]).toEqual([
    { pending: 0, oldest_s: null, failed: 0, restored: null },
    "healthy",
  ]);
  const statistics = createMailStatistics({
    db: site.pool,
    sources: [],
    hasFeedbackAddress: false,
    now: site.now,
  });
  const [activity] = (await statistics.getDashboard("en")).recent_activity.deliveries;
  expect(activity).toMatchObject({ email: "guest@foyer.example", status: "pending", failure_reason: null });
  expect((await statistics.getStats(7)).total_sent).toBe(7); // five that came back, two about the alarm
});

test("the release sends it, unless its address is stopped by now", async () => {
  await hold("guest@foyer.example");
  await hold("gone@foyer.example");
  await site.suppress({
    address: "gone@foyer.example",
    scope: "optional",
    reason: "x",
    source: "unsubscribe",
    sourceEventId: null,
    expiresAt: null,
  });
  site.clock.now += HOUR_MS;
  const answer = await site.alarms.release({ ...SYSTEM_ACTOR, userId: site.userId });
  expect(answer).toEqual({ alarms: [], is_held: false, held: 0, unreachable: [], returned: [] });
  expect(Date.parse((await selectNextDue(site.pool)) ?? "")).toBe(site.clock.now);
  await send();
  expect(delivered).toEqual([(await readMail("guest@foyer.example")).id]);
  expect(await readMail("guest@foyer.example")).toMatchObject({ status: "sent", delivery_state: "sent" });
  expect(await readMail("gone@foyer.example")).toMatchObject({ status: "suppressed" });
});

test("what was held for three days is not sent any more, released or not", async () => {
  await hold("early@foyer.example");
  site.clock.now += 2 * DAY_MS;
  await hold("late@foyer.example");
  site.clock.now += DAY_MS;
  await deleteOldMail(site.pool, site.now());
  expect(await readMail("early@foyer.example")).toMatchObject({
    status: "expired",
    delivery_state: "expired",
  });
  expect(await readMail("late@foyer.example")).toMatchObject({ status: "held" });
  site.clock.now += 2 * DAY_MS;
  await site.alarms.release(SYSTEM_ACTOR);
  await send();
  expect(await readMail("late@foyer.example")).toMatchObject({ status: "expired" });
  expect(delivered).toEqual([]);
});

test("what a lease holds while the alarm is being released is let go by the next look", async () => {
  await hold("guest@foyer.example");
  await site.pool.query("UPDATE mail_alarm SET released_at = now()");
  await site.alarms.evaluate();
  await send();
  expect(await readMail("guest@foyer.example")).toMatchObject({ status: "sent" });
});

test("an alarm that holds nothing lets all mail go", async () => {
  await site.pool.query("UPDATE mail_alarm SET holds = false");
  await site.queueReceipt("guest@foyer.example");
  await send();
  expect(await readMail("guest@foyer.example")).toMatchObject({ status: "sent" });
});

test("a mail that was handed over by a process that lost it is sent, not held", async () => {
  await site.alarms.release(SYSTEM_ACTOR);
  await site.queueReceipt("guest@foyer.example");
  const lease = () =>
    leaseMessages(site.pool, {
      now: site.now(),
      leaseUntil: site.now(),
      limit: 3,
      inHand: [],
      addressSecrets: [],
    });
  const [slow] = await lease();
  await site.pool.query("UPDATE mail_alarm SET released_at = NULL");
  const [again] = await lease();
  expect([slow?.status, again?.status]).toEqual(["sending", "held"]);
  await markSent(
    site.pool,
    { id: slow?.id ?? 0, attempts: slow?.attempts ?? 0, response: "250 ok", now: site.now() },
    undefined,
  );
  expect(await readMail("guest@foyer.example")).toMatchObject({ status: "sent", delivery_state: "sent" });
});

test("a person who goes is taken out of what is held for them, and it is not sent", async () => {
  await hold("guest@foyer.example");
  await site.mail.forgetPerson(site.pool, { userId: 0, addresses: ["guest@foyer.example"] });
  await site.alarms.release(SYSTEM_ACTOR);
  await send();
  expect(delivered).toEqual([]);
  expect(await readMail("")).toMatchObject({ status: "failed", delivery_state: "failed", vars: {} });
});
