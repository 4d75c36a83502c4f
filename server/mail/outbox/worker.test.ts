import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type pg from "pg";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { runForRequest } from "../../base/actor.ts";
import { withTransaction } from "../../db/transaction.ts";
import { CODE, openTestOutbox, type QueryCall, sendDue, type TestOutbox, toSql } from "./test-outbox.ts";
import { createSmtpTransport, MailRefusedError, type MailTransport } from "./transports.ts";
import { createOutboxWorker } from "./worker.ts";

describe("record", () => {
  let outbox: TestOutbox;
  beforeAll(async () => {
    outbox = await openTestOutbox();
  });
  afterAll(() => outbox.close());
  beforeEach(() => outbox.empty());

  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;
  const LEASE_MS = 10_000;

  function toTransport(deliver: MailTransport["deliver"]): MailTransport {
    return { deliver, close: async () => {} };
  }
  const later = async () => {
    throw Object.assign(new Error("451 <ada@foyer.example> later"), { code: "EENVELOPE", responseCode: 451 });
  };
  const queueTest = () =>
    outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });

  /** A pool whose results can't be written the first `times` times. */
  function failToRecord(times: number): pg.Pool {
    let failed = 0;
    return new Proxy(outbox.pool, {
      get(pool, name) {
        if (name !== "query") return Reflect.get(pool, name);
        return async (...call: QueryCall) => {
          if (!/SET status = '(sent|failed|pending)'/.test(toSql(call)) || failed === times)
            return Reflect.apply(pool.query, pool, call);
          failed += 1;
          throw new Error("the database is away");
        };
      },
    });
  }

  test("a mail server that is away for four days costs no mail, and one that stays away is reported", async () => {
    await queueTest();
    const end = outbox.clock.now + 4 * DAY_MS;
    const deps = outbox.toDeps(toTransport(later));
    while (outbox.clock.now < end) {
      await sendDue(deps);
      const [row] = await outbox.readRows();
      expect(row).toMatchObject({ status: "pending" });
      const wait = new Date(String(row?.next_attempt_at)).getTime() - outbox.clock.now;
      expect(wait).toBeLessThanOrEqual(120 * MINUTE_MS);
      outbox.clock.now += wait;
    }
    expect(outbox.log.lines.join()).not.toContain("given up");
    await sendDue(deps);
    const [row] = await outbox.readRows();
    expect(row).toMatchObject({ status: "failed" });
    const logged = outbox.log.lines
      .filter((line) => line.includes("given up"))
      .map((line) => JSON.parse(line));
    expect(logged).toEqual([
      {
        id: row?.id,
        kind: "test",
        attempts: row?.attempts,
        fault: "EENVELOPE",
        status: 451,
        message: "a mail is given up",
      },
    ]);
  });

  test("lines of the log about a mail name the request that it was queued for, until its person is forgotten", async () => {
    const queue = () =>
      outbox.mail.queue(outbox.pool, {
        ...{ kind: "test", recipient: "ada@foyer.example", language: "en" },
      });
    await runForRequest("request-1", queue);
    await sendDue(outbox.toDeps(toTransport(later)));
    outbox.clock.now += DAY_MS;
    await sendDue(outbox.toDeps(toTransport(async () => "250 ok")));
    const named = outbox.log.lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "test");
    expect(named.map(({ message, reqId }) => [message, reqId])).toEqual([
      ["a mail was not sent", "request-1"],
      ["a mail was sent", "request-1"],
    ]);
    await outbox.mail.forgetPerson(outbox.pool, { userId: outbox.userId, addresses: ["ada@foyer.example"] });
    expect(await outbox.readRows()).toMatchObject([{ request_id: null }]);
  });

  test("a result that can't be recorded at once is recorded later, without a second copy", async () => {
    await queueTest();
    let copies = 0;
    const transport = toTransport(async () => `250 copy ${++copies}`);
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      outbox.clock.now += LEASE_MS;
    };
    const deps = outbox.toDeps(transport, { pool: failToRecord(7), pause });
    const worker = createOutboxWorker(deps);
    worker.begin(await worker.lease(outbox.pool));
    await worker.settle();
    expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 copy 1", attempts: 1 }]);
    expect(pauses).toEqual(Array(7).fill(1_000));
    expect(outbox.log.lines.filter((line) => line.includes("could not be recorded yet"))).toHaveLength(7);
  });

  test("while its result waits to be recorded a mail is not taken again by its own process", async () => {
    await queueTest();
    const taken: number[] = [];
    const deps = outbox.toDeps(
      toTransport(async () => "250 ok"),
      {
        pool: failToRecord(1),
        pause: async () => {
          outbox.clock.now += LEASE_MS;
          taken.push((await worker.lease(outbox.pool)).length);
        },
      },
    );
    const worker = createOutboxWorker(deps);
    worker.begin(await worker.lease(outbox.pool));
    await worker.settle();
    expect(taken).toEqual([0]);
  });

  test("a result that is never recorded is reported, and the mail is sent again", async () => {
    await queueTest();
    let copies = 0;
    const transport = toTransport(async () => `250 copy ${++copies}`);
    const worker = createOutboxWorker(
      outbox.toDeps(transport, { pool: failToRecord(8), pause: async () => {} }),
    );
    worker.begin(await worker.lease(outbox.pool));
    await worker.settle();
    expect(outbox.log.lines.at(-1)).toContain("is not recorded");
    expect(await outbox.readRows()).toMatchObject([{ status: "sending" }]);
    outbox.clock.now += LEASE_MS;
    await sendDue(outbox.toDeps(transport));
    expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 copy 2" }]);
  });
});

describe("worker", () => {
  let outbox: TestOutbox;
  let sink: MailSink;
  let transport: MailTransport;
  beforeAll(async () => {
    outbox = await openTestOutbox();
  });
  afterAll(() => outbox.close());
  beforeEach(async () => {
    await outbox.empty();
    sink = await openMailSink();
    transport = createSmtpTransport(sink.url);
  });
  afterEach(async () => {
    await transport.close();
    await sink.close();
  });

  const MINUTE_MS = 60_000;
  const LEASE_MS = 10_000;
  const STOP = { reason: "asked", source: "admin", sourceEventId: null, expiresAt: null } as const;

  const send = () => sendDue(outbox.toDeps(transport));
  const queueCodes = async (count: number) => {
    for (let index = 0; index < count; index += 1)
      await outbox.mail.queue(outbox.pool, outbox.buildCode(`person${index}@foyer.example`));
  };
  const queueAcknowledgement = async (recipient: string) => {
    const contactMessageId = await outbox.insertContactMessage(`c${Math.random()}`);
    await outbox.mail.queue(outbox.pool, {
      kind: "contact_acknowledgement",
      recipient,
      language: "en",
      contactMessageId,
    });
  };

  test("a sent code is gone from its row, and no log line ever held it or an address", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    expect(sink.accepted.map(({ content }) => content.text)).toEqual([expect.stringContaining(CODE)]);
    const rows = await outbox.readRows();
    expect(rows).toMatchObject([{ status: "sent", secret: null, attempts: 1, response: "250 accepted" }]);
    expect(new Date(String(rows[0]?.sent_at)).getTime()).toBe(outbox.clock.now);
    const seen = JSON.stringify(rows) + outbox.log.lines.join("");
    expect(seen).not.toContain(CODE);
    expect(outbox.log.lines.join("")).not.toContain("@foyer");
  });

  test("two workers at once send each mail once", async () => {
    await queueCodes(40);
    sink.answer = () => ({ kind: "accept", afterMs: 5 });
    const other = createSmtpTransport(sink.url);
    await Promise.all([send(), sendDue(outbox.toDeps(other))]);
    await other.close();
    expect(sink.accepted).toHaveLength(40);
    expect(new Set(sink.accepted.map(({ recipient }) => recipient)).size).toBe(40);
  });

  test("what one worker is just taking another passes by without waiting", async () => {
    await queueCodes(5);
    const [one, other] = [
      createOutboxWorker(outbox.toDeps(transport)),
      createOutboxWorker(outbox.toDeps(transport)),
    ];
    await withTransaction(outbox.pool, async (client) => {
      const first = await one.lease(client);
      const second = await withTransaction(outbox.pool, async (beside) => {
        await beside.query("SET LOCAL lock_timeout = '1s'");
        return other.lease(beside);
      });
      expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(5);
    });
  });

  test("a 4xx is tried again after 30 s, 2, 10, 30 minutes and then every 2 hours", async () => {
    const { pool, clock } = outbox;
    await outbox.mail.queue(pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
    sink.answer = () => ({ kind: "reject", status: 450, text: "come back later" });
    for (const minutes of [0.5, 2, 10, 30, 120, 120, 120]) {
      await send();
      const [row] = await outbox.readRows();
      expect(row).toMatchObject({ status: "pending", response: expect.stringContaining("450") });
      expect(new Date(String(row?.next_attempt_at)).getTime()).toBe(clock.now + minutes * MINUTE_MS);
      clock.now += minutes * MINUTE_MS - 1;
      const before = sink.mails.length;
      await send();
      expect(sink.mails).toHaveLength(before);
      clock.now += 1;
    }
    expect(new Set(sink.mails.map(({ content }) => content.messageId)).size).toBe(1);
  });

  test("jitter keeps mails that failed together apart", async () => {
    await queueCodes(1);
    sink.answer = () => ({ kind: "reject", status: 450, text: "later" });
    await sendDue(outbox.toDeps(transport, { random: () => 1 }));
    const [row] = await outbox.readRows();
    expect(new Date(String(row?.next_attempt_at)).getTime()).toBe(outbox.clock.now + 33_000);
  });

  test.each([
    ["the recipient", 550],
    ["the message", 554],
  ])("a 5xx to %s ends it at once, with the answer kept and the code erased", async (where, status) => {
    await queueCodes(1);
    const refusal = { status, text: "<person0@foyer.example> unknown" };
    if (where === "the recipient") sink.answerRecipient = () => refusal;
    else sink.answer = () => ({ kind: "reject", ...refusal });
    await send();
    const [row] = await outbox.readRows();
    expect(row).toMatchObject({ status: "failed", secret: null, attempts: 1 });
    expect(row?.response).toContain(`${status} <person0@foyer.example> unknown`);
    expect(outbox.log.lines.join("")).toContain(`"status":${status}`);
    expect(outbox.log.lines.join("")).not.toContain("person0");
  });

  test("a server that isn't there is tried again", async () => {
    await queueCodes(1);
    await sink.close();
    await send();
    expect(await outbox.readRows()).toMatchObject([{ status: "pending", attempts: 1 }]);
    expect(outbox.log.lines.join("")).toContain("ESOCKET");
  });

  test("a wrong password for the mail server costs no mail: it goes once the settings are right", async () => {
    await queueCodes(1);
    const strict = await openMailSink({ password: "pw-right-1" });
    const open = (password: string) => createSmtpTransport(strict.url.replace("//", `//site:${password}@`));
    const [wrong, right] = [open("pw-wrong-1"), open("pw-right-1")];
    await sendDue(outbox.toDeps(wrong));
    expect(await outbox.readRows()).toMatchObject([
      { status: "pending", response: expect.stringContaining("535") },
    ]);
    outbox.clock.now += MINUTE_MS;
    await sendDue(outbox.toDeps(right));
    expect(strict.accepted).toHaveLength(1);
    const seen = outbox.log.lines.join("") + JSON.stringify(await outbox.readRows());
    for (const password of ["pw-wrong-1", "pw-right-1"]) expect(seen).not.toContain(password);
    for (const transport of [wrong, right]) await transport.close();
    await strict.close();
  });

  test("one message that is refused does not hold up the others", async () => {
    await queueCodes(10);
    sink.answerRecipient = (to) => (to.startsWith("person3@") ? { status: 550, text: "no" } : undefined);
    await send();
    expect(sink.accepted).toHaveLength(9);
  });

  test("of 50 mails that wait none is sent once their address is suppressed", async () => {
    for (let index = 0; index < 50; index += 1)
      await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "Ada@Foyer.example", language: "en" });
    await outbox.suppress({ ...STOP, address: "ada@foyer.EXAMPLE", scope: "all" });
    await send();
    expect(sink.mails).toEqual([]);
    const statuses = (await outbox.readRows()).map(({ status }) => status);
    expect(statuses).toEqual(Array(50).fill("suppressed"));
  });

  test("a suppression of optional mails stops acknowledgements and lets codes through", async () => {
    await outbox.suppress({ ...STOP, address: "ada@foyer.example", scope: "optional" });
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await queueAcknowledgement("ada@foyer.example");
    await send();
    expect((await outbox.readRows()).map(({ kind, status }) => [kind, status])).toEqual([
      ["verification_code", "sent"],
      ["contact_acknowledgement", "suppressed"],
    ]);
  });

  test("a suppression that is over stops nothing", async () => {
    const expiresAt = new Date(outbox.clock.now).toISOString();
    await outbox.suppress({
      ...STOP,
      address: "person0@foyer.example",
      scope: "all",
      expiresAt,
    });
    await queueCodes(1);
    await send();
    expect(sink.accepted).toHaveLength(1);
  });

  test("while suppressions can't be looked up nothing is sent, and afterwards everything", async () => {
    await queueCodes(3);
    await outbox.pool.query("ALTER TABLE mail_suppression RENAME TO mail_suppression_away");
    await expect(send()).rejects.toThrow("mail_suppression");
    await outbox.pool.query("ALTER TABLE mail_suppression_away RENAME TO mail_suppression");
    expect(sink.mails).toEqual([]);
    await send();
    expect(sink.accepted).toHaveLength(3);
  });

  test("a code that expired is not sent", async () => {
    await queueCodes(1);
    outbox.clock.now += 10 * MINUTE_MS;
    await send();
    expect(sink.mails).toEqual([]);
    expect(await outbox.readRows()).toMatchObject([{ status: "expired", secret: null, attempts: 0 }]);
  });

  test("a process that died between the message and its receipt leaves a second copy, equal to the first", async () => {
    await queueCodes(1);
    // It dies there: what the server answers reaches nobody.
    const dying = createOutboxWorker(
      outbox.toDeps({
        ...transport,
        deliver: (parcel) => transport.deliver(parcel).then(() => new Promise(() => {})),
      }),
    );
    dying.begin(await dying.lease(outbox.pool));
    while (sink.accepted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await send();
    expect(sink.accepted).toHaveLength(1);
    outbox.clock.now += LEASE_MS;
    await send();
    const [first, second] = sink.accepted;
    expect(second?.content.messageId).toBe(first?.content.messageId);
    expect(second?.sender).toBe(first?.sender);
    expect(second?.content.text).toBe(first?.content.text);
    expect(second?.content.text).toContain(CODE);
    expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 2, secret: null }]);
  });

  test("a code whose newer one was asked for while it was being sent is not tried again", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode("ada@foyer.example", "111111"));
    const deliver = async () => {
      await outbox.mail.queue(outbox.pool, outbox.buildCode("Ada@foyer.example", "222222"));
      throw new Error("451 later");
    };
    const worker = createOutboxWorker(outbox.toDeps({ deliver, close: async () => {} }));
    worker.begin(await worker.lease(outbox.pool));
    await worker.settle();
    outbox.clock.now += MINUTE_MS;
    await send();
    expect(sink.accepted.map(({ content }) => content.text)).toEqual([expect.stringContaining("222222")]);
    expect(await outbox.readRows()).toMatchObject([{ status: "expired", secret: null }, { status: "sent" }]);
  });

  test("a connection that ends before the receipt means another try", async () => {
    await queueCodes(1);
    sink.answer = () => ({ kind: "hang up" });
    await send();
    expect(await outbox.readRows()).toMatchObject([{ status: "pending", attempts: 1 }]);
    sink.answer = () => ({ kind: "accept" });
    outbox.clock.now += 40_000;
    await send();
    expect(sink.mails.map(({ content }) => content.messageId)).toEqual(
      Array(2).fill(sink.mails[0]?.content.messageId),
    );
    expect(await outbox.readRows()).toMatchObject([{ status: "sent" }]);
  });

  test("a contact message is erased from the outbox once it is sent", async () => {
    const contactMessageId = await outbox.insertContactMessage();
    const text = { name: "Işıl", email: "isil@foyer.example", subject: "Hello", message: "A text." };
    const to = { recipient: "ada@foyer.example", language: "tr" } as const;
    await outbox.mail.queue(outbox.pool, { kind: "contact_message", ...to, contactMessageId, ...text });
    await send();
    expect(sink.accepted[0]?.content.text).toContain("A text.");
    expect(await outbox.readRows()).toMatchObject([
      { status: "sent", vars: {}, contact_message_id: contactMessageId },
    ]);
  });

  test("mail to an account that is gone is not sent", async () => {
    await queueCodes(1);
    await outbox.pool.query("UPDATE mail_message SET user_id = NULL");
    await send();
    expect(sink.mails).toEqual([]);
    expect(await outbox.readRows()).toMatchObject([
      { status: "failed", secret: null, response: "The account that it was for is gone." },
    ]);
  });

  test.each([
    ["takes it", (said: string) => said, "sent"],
    [
      "wants it later",
      (said: string) => {
        throw new Error(said);
      },
      "pending",
    ],
    [
      "refuses it",
      (said: string) => {
        throw new MailRefusedError(said);
      },
      "failed",
    ],
  ])(
    "an account that is deleted while a server %s leaves no address in its answer",
    async (_, answer, status) => {
      await queueCodes(1);
      const deliver = async () => {
        await outbox.mail.forgetPerson(outbox.pool, { userId: outbox.userId, addresses: [] });
        return answer("<ada@foyer.example> was named");
      };
      await sendDue(outbox.toDeps({ deliver, close: async () => {} }));
      expect(await outbox.readRows()).toMatchObject([{ status, response: null }]);
    },
  );

  test("an account that is deleted while its mail is being sent keeps no trace, and no other try is made", async () => {
    await queueCodes(1);
    const forget = async () => {
      await outbox.mail.forgetPerson(outbox.pool, { userId: outbox.userId, addresses: [] });
      throw new Error("451 later");
    };
    await sendDue(outbox.toDeps({ deliver: forget, close: async () => {} }));
    outbox.clock.now += MINUTE_MS;
    await send();
    expect(sink.mails).toEqual([]);
    expect(await outbox.readRows()).toMatchObject([{ status: "failed", recipient: "", secret: null }]);
  });

  test("a code of other keys is not sent", async () => {
    await queueCodes(1);
    await outbox.pool.query("UPDATE mail_message SET secret = 'AAAA' || secret");
    await send();
    expect(sink.mails).toEqual([]);
    expect(await outbox.readRows()).toMatchObject([
      { status: "failed", response: expect.stringContaining("keys") },
    ]);
  });
});
