import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { SYSTEM_ACTOR } from "../../base/actor.ts";
import { buildBounce } from "../reports/test-reports.ts";
import { createAlarmWatch } from "./alarms.ts";
import { openTestAlarms, type TestAlarms } from "./test-alarms.ts";

describe("alarms", () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const START = Date.parse("2026-05-01T10:00:00Z");

  let site: TestAlarms;
  beforeAll(async () => {
    site = await openTestAlarms();
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    site.clock.now = START;
    await site.empty();
  });

  const readAlarmMails = async () =>
    (await site.readRows()).filter(({ kind }) => kind === "delivery_alarm").map(({ recipient }) => recipient);

  describe("an alarm", () => {
    test("begins with five mails that came back for good, whatever came back for the moment or was tried", async () => {
      await site.returnMails(4);
      await site.returnMails(3, {
        bounce: { type: "Transient", subtype: "MailboxFull" },
        statusCode: "5.2.2",
      });
      await site.returnMails(3, { bounce: { type: "Permanent", subtype: "OnAccountSuppressionList" } });
      const simulated = await site.sendMail("bounce+x@simulator.amazonses.com");
      await site.report("ses", "simulated", [
        {
          kind: "bounced",
          key: "simulated",
          occurredAt: null,
          recipient: simulated.recipient,
          mail: { reportToken: simulated.report_token },
          bounce: { type: "Permanent", subtype: "NoEmail" },
        },
      ]);
      await site.reader.readAll();
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toEqual([]);
      await site.returnMails(1);
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toMatchObject([
        { kind: "bounces", count: 5, total: 11, days: 7, rate: null, limit: null, holds: true },
      ]);
    });

    test("begins with three complaints; not-spam and a failed signature are none", async () => {
      await site.complainOf(2);
      await site.complainOf(3, "not-spam");
      await site.complainOf(3, "auth-failure");
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toEqual([]);
      await site.complainOf(1, null);
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toMatchObject([{ kind: "complaints", count: 3, total: 9 }]);
    });

    test("counts the mails of seven days alone", async () => {
      await site.returnMails(4);
      site.clock.now += 7 * DAY_MS;
      await site.returnMails(1);
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toEqual([]);
    });

    test("has a rate where there are mails enough, and the rules' limit", async () => {
      await site.pool.query(
        "UPDATE mail_rules SET bounce_count_min = 1000, bounce_limit = 2.5, alarm_holds = false",
      );
      await site.sendMany(88);
      await site.returnMails(12);
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toMatchObject([
        { kind: "bounces", count: 12, total: 100, rate: "12.00", limit: "2.50", holds: false },
      ]);
      expect(await site.alarms.getHold()).toMatchObject({
        is_held: false,
        alarms: [{ rate: 12, limit: 2.5 }],
      });
    });

    test("of a kind stands once, and is notified once, when two processes look at the same time", async () => {
      await site.returnMails(6);
      await site.complainOf(3);
      await Promise.all(
        [site.alarms, site.createOther(), site.alarms, site.createOther()].map((alarms) => alarms.evaluate()),
      );
      expect((await site.readAlarms()).map(({ kind }) => kind)).toEqual(["bounces", "complaints"]);
      expect(await readAlarmMails()).toEqual(["owner@foyer.example", "ada@foyer.example"]);
      const { rows } = await site.pool.query(
        "SELECT detail, object_repr FROM audit_entry WHERE detail = 'alarm'",
      );
      expect(rows).toHaveLength(2);
    });

    test("that was released doesn't come back by the same news, also of mails that are sent afterwards", async () => {
      await site.returnMails(6);
      await site.alarms.evaluate();
      const [first] = await site.readAlarms();
      await site.alarms.release({ ...SYSTEM_ACTOR, userId: site.userId });
      site.clock.now += 60_000;
      await site.sendMany(10);
      await site.returnMails(4);
      await site.alarms.evaluate();
      expect(await site.readAlarms()).toMatchObject([{ id: first?.id, released_by_id: site.userId }]);
      await site.complainOf(3);
      await site.returnMails(1);
      await site.alarms.evaluate();
      expect((await site.readAlarms()).map(({ kind, count }) => [kind, count])).toEqual([
        ["bounces", 6],
        ["bounces", 5],
        ["complaints", 3],
      ]);
    });
  });

  describe("staff are notified", () => {
    test("once a day of all alarms, in their languages, and never by a mail that an alarm holds", async () => {
      await site.returnMails(6);
      await site.alarms.evaluate();
      await site.complainOf(3);
      await site.alarms.evaluate();
      expect(await readAlarmMails()).toEqual(["owner@foyer.example", "ada@foyer.example"]);
      expect((await site.readAlarms()).map(({ mailed_at }) => mailed_at !== null)).toEqual([true, false]);
      await site.alarms.release(SYSTEM_ACTOR);
      site.clock.now += 60_000;
      await site.returnMails(6);
      await site.alarms.evaluate();
      expect(await readAlarmMails()).toHaveLength(2);
      site.clock.now += DAY_MS;
      await site.alarms.evaluate();
      await site.alarms.evaluate();
      expect(await readAlarmMails()).toHaveLength(4);
      const [owner, ada] = (await site.readRows()).filter(({ kind }) => kind === "delivery_alarm");
      expect([owner?.language, ada?.language, ada?.user_id]).toEqual(["tr", "en", site.userId]);
      expect(owner?.vars).toMatchObject({ bounces: "6", bouncesTotal: "6", complaints: "", holds: "yes" });
    });

    test("as far as a mail reaches them; who gets none is named, and notified when the address takes mail again", async () => {
      const stop = {
        scope: "all" as const,
        reason: "x",
        source: "bounce",
        sourceEventId: null,
        expiresAt: null,
      };
      await site.suppress({ ...stop, address: "owner@foyer.example" });
      await site.suppress({ ...stop, address: "ada@foyer.example" });
      await site.returnMails(6);
      await site.alarms.evaluate();
      expect(await readAlarmMails()).toEqual([]);
      expect(await site.alarms.getHold()).toMatchObject({
        alarms: [{ mailed_at: null }],
        unreachable: ["owner@foyer.example", "ada@foyer.example"],
      });
      await site.pool.query("DELETE FROM mail_suppression WHERE address = 'ada@foyer.example'");
      await site.alarms.evaluate();
      expect(await readAlarmMails()).toEqual(["ada@foyer.example"]);
      expect((await site.alarms.getHold()).unreachable).toEqual(["owner@foyer.example"]);
    });
  });

  describe("staff whose mail came back", () => {
    const PERMANENT = { type: "Permanent", subtype: "NoEmail" } as const;
    let key = 0;
    async function returnMail(
      recipient: string,
      bounce: { type: "Permanent" | "Transient"; subtype: string },
    ) {
      site.clock.now += 60_000;
      key += 1;
      const mail = await site.sendMail(recipient);
      await site.report("ses", `staff ${key}`, [buildBounce(mail, { bounce })]);
      await site.reader.readAll();
    }
    const readReturned = async () => (await site.alarms.getHold()).returned;

    test("are named until a later mail gets through, or their mail is stopped, which says the same", async () => {
      site.staff.add("ada@foyer.example");
      await returnMail("ADA@foyer.example", PERMANENT);
      expect(await site.read("mail_suppression")).toEqual([]);
      expect(await readReturned()).toEqual(["ada@foyer.example"]);
      await returnMail("owner@foyer.example", { type: "Transient", subtype: "MailboxFull" });
      expect(await readReturned()).toEqual(["ada@foyer.example"]);
      site.clock.now += 60_000;
      await site.sendMail("ada@foyer.example");
      expect(await readReturned()).toEqual([]);
      await returnMail("ada@foyer.example", PERMANENT);
      await site.suppress({
        address: "ada@foyer.example",
        scope: "all",
        reason: "x",
        source: "admin",
        sourceEventId: null,
        expiresAt: null,
      });
      expect(await site.alarms.getHold()).toMatchObject({ unreachable: ["ada@foyer.example"], returned: [] });
    });
  });

  describe("the rules", () => {
    test("say which news stops mail by itself, from the next report on", async () => {
      await site.pool.query("UPDATE mail_rules SET bounce_stops = false, complaint_stops = false");
      const [returned] = await site.returnMails(1);
      await site.complainOf(1);
      expect(await site.read("mail_suppression")).toEqual([]);
      expect(await site.read("mail_bounce")).toMatchObject([{ verdict: "ask", unsubscribed_by: null }]);
      expect(await site.read("mail_complaint")).toMatchObject([{ verdict: "ask", unsubscribed_by: null }]);
      await site.pool.query("UPDATE mail_rules SET bounce_stops = true");
      const [next] = await site.returnMails(1);
      expect(await site.read("mail_suppression")).toMatchObject([{ address: next?.recipient }]);
      expect(returned?.recipient).not.toBe(next?.recipient);
    });

    test("say how many mails that came back for the moment stop optional mail, and for how long", async () => {
      await site.pool.query("UPDATE mail_rules SET transient_count_min = 2, transient_days = 10");
      for (const key of ["1", "2"]) {
        const mail = await site.sendMail("full@foyer.example");
        await site.report("ses", key, [
          {
            kind: "bounced",
            key,
            occurredAt: null,
            recipient: mail.recipient,
            mail: { reportToken: mail.report_token },
            bounce: { type: "Transient", subtype: "MailboxFull" },
          },
        ]);
      }
      await site.reader.readAll();
      const [stop] = await site.read("mail_suppression");
      expect(stop).toMatchObject({ address: "full@foyer.example", scope: "optional" });
      expect(Date.parse(String(stop?.expires_at))).toBe(START + 10 * DAY_MS);
    });
  });
});

describe("watch", () => {
  let close = async () => {};
  afterEach(() => close());

  /** A watch whose looks are counted; `publish` is the change feed. */
  function open(evaluate: () => Promise<void> = async () => {}) {
    let looks = 0;
    const errors: string[] = [];
    let publish: (modelKey: string | undefined) => void = () => {};
    const watch = createAlarmWatch({
      alarms: {
        evaluate() {
          looks += 1;
          return evaluate();
        },
      },
      feed: {
        subscribe(listener) {
          publish = listener;
        },
      },
      log: { error: (_details, message) => void errors.push(message) },
      afterNewsMs: 1,
      lookEveryMs: 1_000_000,
    });
    close = watch.close;
    return {
      watch,
      errors,
      publish: (modelKey: string | undefined) => publish(modelKey),
      countLooks: () => looks,
    };
  }

  test("it looks at the start, and after news of returns, complaints and rules", async () => {
    const { watch, publish, countLooks } = open();
    publish("mail.bounce");
    watch.start();
    await until(() => countLooks() === 1);
    let looks = 1;
    for (const modelKey of ["mail.bounce", "mail.complaint", "mail.rules", undefined]) {
      publish("mail.message");
      publish(modelKey);
      looks += 1;
      await until(() => countLooks() === looks);
    }
  });

  test("news that come together are looked at once, and one look ends before the next begins", async () => {
    const gate = Promise.withResolvers<void>();
    let atOnce = 0;
    let most = 0;
    const { watch, publish, countLooks } = open(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await gate.promise;
      atOnce -= 1;
    });
    watch.start();
    for (let i = 0; i < 10; i++) publish("mail.bounce");
    await until(() => countLooks() === 1);
    gate.resolve();
    await until(() => countLooks() === 2);
    await watch.close();
    expect([countLooks(), most]).toEqual([2, 1]);
  });

  test("a look that fails is reported, and the next one is made all the same", async () => {
    let isDown = true;
    const { watch, publish, countLooks, errors } = open(async () => {
      if (isDown) throw new Error("no database");
    });
    watch.start();
    await until(() => errors.length === 1);
    isDown = false;
    publish("mail.bounce");
    await until(() => countLooks() === 2);
    await watch.close();
    expect(errors).toEqual(["alarms about mail can't be looked for now"]);
  });
});
