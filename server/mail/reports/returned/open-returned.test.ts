import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import nodemailer from "nodemailer";
import { orHang, until } from "#test/until.ts";
import { createReportIntake, createReportReader } from "../reports.ts";
import { openTestReports, type TestReports } from "../test-reports.ts";
import { createInbound, type Inbound, type InboundOptions, openReturnedMail } from "./open-returned.ts";
import { returnedSource } from "./returned-source.ts";

describe("inbound", () => {
  const KNOWN = "back+b-0123456789abcdef01234567@foyer.example";

  let inbound: Inbound | undefined;
  let clients: Socket[] = [];
  let logged: string[] = [];
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await inbound?.close();
    inbound = undefined;
    clients = [];
    logged = [];
  });

  const taken: { raw: string; recipient: string }[] = [];

  async function open(options: Partial<InboundOptions> = {}): Promise<number> {
    taken.length = 0;
    const note = (_: object, message: string) => void logged.push(message);
    inbound = createInbound({
      host: "127.0.0.1",
      port: 0,
      isKnownRecipient: async (address) => /^(back\+b-|fbl@)/.test(address),
      take: async (raw, recipient) => void taken.push({ raw: raw.toString(), recipient }),
      log: { warn: note, error: note },
      ...options,
    });
    return inbound.listen();
  }

  /** A client that says one line after another and receives the last line of each answer. */
  async function talk(port: number) {
    const socket = connect(port, "127.0.0.1");
    clients.push(socket);
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const receive = async (): Promise<string> => {
      await until(() => /^\d{3} .*\r\n/m.test(received));
      const answer = received;
      received = "";
      return answer.trimEnd();
    };
    const say = (line: string): Promise<string> => {
      socket.write(`${line}\r\n`);
      return receive();
    };
    return { socket, say, greeting: await receive() };
  }

  async function startMail(port: number, recipients = [KNOWN]) {
    const client = await talk(port);
    await client.say("EHLO mx.example");
    await client.say("MAIL FROM:<>");
    for (const recipient of recipients) expect(await client.say(`RCPT TO:<${recipient}>`)).toMatch(/^250/);
    return client;
  }

  test("a mail with no sender is taken byte for byte, and one of a person too", async () => {
    const port = await open();
    const client = await startMail(port);
    expect(await client.say("DATA")).toMatch(/^354/);
    expect(await client.say("From: x\r\n\r\n..dot\r\n.")).toMatch(/^250/);
    const mailer = nodemailer.createTransport({ host: "127.0.0.1", port });
    await mailer.sendMail({ from: "person@example.net", to: "fbl@foyer.example", text: "a complaint" });
    expect(taken).toEqual([
      { raw: "From: x\r\n\r\n.dot\r\n", recipient: KNOWN },
      { raw: expect.stringContaining("a complaint"), recipient: "fbl@foyer.example" },
    ]);
  });

  test("what it offers: no log-in, no encryption without a key, its size; and it names no machine", async () => {
    const port = await open({ maxBytes: 5_000 });
    const client = await talk(port);
    expect(client.greeting).toBe("220 foyer ESMTP");
    const offer = await client.say("EHLO mx.example");
    expect(offer).toContain("SIZE 5000");
    expect(offer).not.toMatch(/AUTH|STARTTLS/);
    expect(await client.say("STARTTLS")).toMatch(/^5/);
    expect(await client.say("AUTH PLAIN AGEAYg==")).toMatch(/^5/);
  });

  test("nobody else's mail is taken: it is no relay", async () => {
    const port = await open();
    const client = await startMail(port, []);
    for (const recipient of ["person@example.net", "back@foyer.example", "root"])
      expect(await client.say(`RCPT TO:<${recipient}>`)).toMatch(/^5\d\d /);
    expect(await client.say("RCPT TO:<person@example.net>")).toBe("550 5.1.1 There is no such mailbox here");
    expect(await client.say("DATA")).toMatch(/^503/);
    expect(taken).toEqual([]);
  });

  test("each known recipient gets it, ten at most", async () => {
    const port = await open();
    const ten = Array.from({ length: 10 }, (_, index) => `back+b-${index}@foyer.example`);
    const client = await startMail(port, ten);
    expect(await client.say("RCPT TO:<back+b-10@foyer.example>")).toMatch(/^452/);
    await client.say("DATA");
    expect(await client.say("x\r\n.")).toMatch(/^250/);
    expect(taken.map(({ recipient }) => recipient)).toEqual(ten);
  });

  test("a mail that is too large is refused, announced or not, and the connection lives", async () => {
    const port = await open({ maxBytes: 1_000 });
    const client = await startMail(port);
    await client.say("DATA");
    expect(await client.say(`${"x".repeat(50)}\r\n`.repeat(4_000).concat("."))).toMatch(/^552 5\.3\.4/);
    expect(await client.say("MAIL FROM:<> SIZE=2000")).toMatch(/^552/);
    expect(await client.say("MAIL FROM:<> SIZE=900")).toMatch(/^250/);
    expect(taken).toEqual([]);
  });

  test("what can't be stored comes again, and the answer says nothing of why", async () => {
    const port = await open({
      take: () => Promise.reject(new Error("password authentication failed for foyer")),
    });
    const client = await startMail(port);
    await client.say("DATA");
    expect(await client.say("x\r\n.")).toBe("451 4.3.0 Not stored, please try again later");
    expect(logged).toEqual(["a returned mail could not be taken yet"]);
  });

  test("while nobody knows who is known, they are asked to come again", async () => {
    const port = await open({ isKnownRecipient: () => Promise.reject(new Error("the database is away")) });
    const client = await startMail(port, []);
    expect(await client.say(`RCPT TO:<${KNOWN}>`)).toMatch(/^451 4\.3\.0/);
  });

  test("one connection too many is sent away", async () => {
    const port = await open({ maxConnections: 2 });
    await talk(port);
    await talk(port);
    expect((await talk(port)).greeting).toMatch(/^421/);
  });

  test("who says nothing is cut off, and so is who never ends", async () => {
    const port = await open({ idleMs: 20 });
    const silent = connect(port, "127.0.0.1");
    const trickling = connect(port, "127.0.0.1");
    clients.push(silent, trickling);
    // `once` of node:events would take a reset for a failure; here it is a way of being cut off.
    const ends = clients.map(
      (client) =>
        new Promise<void>((resolve) =>
          client
            .resume()
            .on("error", () => {})
            .on("close", () => resolve()),
        ),
    );
    const trickle = setInterval(() => trickling.write("N"), 5);
    try {
      await orHang(Promise.all(ends));
    } finally {
      clearInterval(trickle);
    }
  });

  test("a client that leaves in the middle of a mail leaves nothing behind", async () => {
    const port = await open();
    const client = await startMail(port);
    await client.say("DATA");
    client.socket.write("half a mail\r\n");
    client.socket.destroy();
    await until(() => logged.includes("a client left before the end of its mail"));
    expect(taken).toEqual([]);
  });

  test("closing waits for what is being stored, answers it, and cuts the rest", async () => {
    const stored = Promise.withResolvers<void>();
    let isStoring = false;
    const port = await open({
      take() {
        isStoring = true;
        return stored.promise;
      },
    });
    const idle = await talk(port);
    const client = await startMail(port);
    await client.say("DATA");
    const answered = client.say("x\r\n.");
    await until(() => isStoring);
    const closed = inbound?.close();
    stored.resolve();
    expect(await answered).toMatch(/^250/);
    await closed;
    await until(() => idle.socket.closed && client.socket.closed);
  });
});

describe("open returned", () => {
  const BOUNCES = "back@foyer.example";

  let reports: TestReports;
  let folder: string;
  beforeAll(async () => {
    reports = await openTestReports();
    folder = await mkdtemp(join(tmpdir(), "foyer-maildir-"));
    for (const room of ["new", "cur", "tmp"]) await mkdir(join(folder, room));
  });
  afterAll(async () => {
    await reports.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => reports.empty());

  /** A report in the form of RFC 3464, as a mail server writes it. */
  function buildReturn(token: string, recipient: string, to = `back+b-${token}@foyer.example`): string {
    return [
      `Message-ID: <${token}.${Math.random()}@mx.example>`,
      "From: MAILER-DAEMON@mx.example",
      `To: ${to}`,
      "Subject: Undelivered Mail Returned to Sender",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      "MIME-Version: 1.0",
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "I'm sorry.",
      "--b",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      "Action: failed",
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 user unknown",
      "",
      "--b--",
      "",
    ].join("\r\n");
  }

  async function open(more: { listen?: { host: string; port: number }; maildir?: string }) {
    const { pool, log, now } = reports;
    const ports: number[] = [];
    const listening = (details: object) => {
      if ("port" in details) ports.push(Number(details.port));
    };
    const intake = createReportIntake({ pool, log, now });
    const returned = await openReturnedMail({
      listen: more.listen,
      maildir: more.maildir,
      feedbackAddress: "fbl@foyer.example",
      bounces: BOUNCES,
      pool,
      intake,
      log: { ...log, info: listening },
    });
    const reader = createReportReader({
      pool,
      feed: { subscribe: () => () => undefined } as never, // tests read when they want
      sources: [returnedSource],
      suppressions: reports.suppressions,
      rules: reports.rules,
      isStaffAddress: async () => false,
      isAccepted: true,
      log,
      now,
    });
    return { returned, reader, port: ports[0] ?? 0 };
  }

  test("of two processes of a machine one has the port, and the other one takes it when that is gone", async () => {
    const { returned: first, port } = await open({ listen: { host: "127.0.0.1", port: 0 } });
    const listening = Promise.withResolvers<void>();
    const options = {
      listen: { host: "127.0.0.1", port },
      maildir: undefined,
      feedbackAddress: undefined,
      bounces: BOUNCES,
      pool: reports.pool,
      intake: createReportIntake(reports),
      log: { ...reports.log, info: () => listening.resolve() },
      portAgainMs: 5,
    };
    await expect(openReturnedMail(options)).rejects.toMatchObject({ code: "EADDRINUSE" });
    const second = await openReturnedMail({ ...options, isShared: true });
    const third = await openReturnedMail({ ...options, isShared: true, portAgainMs: 600_000 });
    await first.close();
    await listening.promise;
    await second.close();
    await third.close();
  });

  test("a mail that comes back by SMTP stops mail to its address; who names no secret of ours is turned away", async () => {
    const mail = await reports.sendMail();
    const { returned, reader, port } = await open({ listen: { host: "127.0.0.1", port: 0 } });
    const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    const send = (to: string, raw: string) => transport.sendMail({ envelope: { from: "", to }, raw });
    const wrong = "0".repeat(24);
    await expect(send(`back+b-${wrong}@foyer.example`, buildReturn(wrong, mail.recipient))).rejects.toThrow(
      "550",
    );
    // The feedback address takes mail of anybody: what it names proves it, or nothing.
    await send("fbl@foyer.example", buildReturn(wrong, mail.recipient, "fbl@foyer.example"));
    await reader.readAll();
    expect(await reports.read("mail_suppression")).toEqual([]);
    const { rows: refused } = await reports.pool.query("SELECT name, refusal FROM mail_source");
    expect(refused).toEqual([{ name: "returned", refusal: expect.stringContaining("names no mail") }]);

    await send(`back+b-${mail.report_token}@foyer.example`, buildReturn(mail.report_token, mail.recipient));
    await reader.readAll();
    expect(await reports.read("mail_bounce")).toMatchObject([
      { message_id: mail.id, bounce_subtype: "NoEmail" },
    ]);
    expect(await reports.read("mail_suppression")).toMatchObject([{ address: mail.recipient, scope: "all" }]);
    transport.close();
    await returned.close();
  });

  test("a mail that comes back into a folder does the same, and its file moves once it is stored", async () => {
    const mail = await reports.sendMail("folder@foyer.example");
    await writeFile(join(folder, "new", "1.host"), buildReturn(mail.report_token, mail.recipient));
    const { returned, reader } = await open({ maildir: folder });
    while ((await readdir(join(folder, "cur"))).length === 0)
      await new Promise((done) => setTimeout(done, 5));
    await returned.close();
    await reader.readAll();
    expect(await readdir(join(folder, "cur"))).toEqual(["1.host:2,S"]);
    expect(await reports.read("mail_suppression")).toMatchObject([{ address: mail.recipient }]);
  });

  test("of one mail only so many reports are taken", async () => {
    const mail = await reports.sendMail();
    await reports.pool.query(
      `INSERT INTO mail_event (message_id, kind, source, event_key, recipient, recipient_key, parser_version)
     SELECT $1, 'delayed', 'returned', n::text, '', '', 1 FROM generate_series(1, 20) AS n`,
      [mail.id],
    );
    const { returned, port } = await open({ listen: { host: "127.0.0.1", port: 0 } });
    const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    const to = `back+b-${mail.report_token}@foyer.example`;
    const raw = buildReturn(mail.report_token, mail.recipient);
    await expect(transport.sendMail({ envelope: { from: "", to }, raw })).rejects.toThrow("550");
    transport.close();
    await returned.close();
  });
});
