import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import PostalMime from "postal-mime";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { selectForgotten } from "./store.ts";
import { CODE, openTestOutbox, sendDue, type TestOutbox } from "./test-outbox.ts";
import { createFileTransport, createSmtpTransport, deleteMailFiles } from "./transports.ts";

describe("transports", () => {
  let outbox: TestOutbox;
  let sink: MailSink;
  beforeAll(async () => {
    outbox = await openTestOutbox();
  });
  afterAll(() => outbox.close());
  beforeEach(() => outbox.empty());
  afterEach(() => sink.close());

  async function send(url: string): Promise<void> {
    const transport = createSmtpTransport(url);
    await sendDue(outbox.toDeps(transport));
    await transport.close();
  }

  test.each([530, 550, 553])(
    "a %d to the sender costs no mail: it goes once the settings are right",
    async (status) => {
      sink = await openMailSink();
      await outbox.mail.queue(outbox.pool, outbox.buildCode());
      sink.answerSender = () => ({ status, text: "5.7.1 Sender address rejected" });
      await send(sink.url);
      expect(await outbox.readRows()).toMatchObject([
        { status: "pending", response: expect.stringContaining(String(status)) },
      ]);
      sink.answerSender = () => undefined;
      outbox.clock.now += 60_000;
      await send(sink.url);
      expect(await outbox.readRows()).toMatchObject([{ status: "sent" }]);
    },
  );

  test("a certificate that nobody signed is taken only where the address says so", async () => {
    sink = await openMailSink({ isSecure: true });
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send(sink.url);
    expect(sink.mails).toEqual([]);
    expect(await outbox.readRows()).toMatchObject([{ status: "pending" }]);
    outbox.clock.now += 60_000;
    await send(`${sink.url}?tls.rejectUnauthorized=false`);
    expect(sink.accepted).toHaveLength(1);
  });

  test("Amazon's id of a mail is kept, though it ends in six digits as a code does; other six digits are not", async () => {
    sink = await openMailSink();
    const id = "0107019a-4f12-4000-8000-0123456789ab-000000";
    for (const text of [`Ok ${id}`, "Ok queued, subject: 271828 is your code"]) {
      sink.answer = () => ({ kind: "accept", text });
      await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
      await send(sink.url);
    }
    const { rows } = await outbox.pool.query(
      "SELECT provider_id, diagnostic FROM mail_event WHERE kind = 'sent' ORDER BY id",
    );
    expect(rows).toEqual([
      { provider_id: id, diagnostic: `250 Ok ${id}` },
      { provider_id: null, diagnostic: "250 Ok queued, subject: •••••• is your code" },
    ]);
  });
});

describe("file transport", () => {
  let outbox: TestOutbox;
  let base: string;
  let folder: string;
  beforeAll(async () => {
    outbox = await openTestOutbox();
  });
  afterAll(() => outbox.close());
  beforeEach(async () => {
    await outbox.empty();
    base = await mkdtemp(join(tmpdir(), "foyer-mail-"));
    folder = join(base, "mail");
  });
  afterEach(() => rm(base, { recursive: true }));

  const send = () => sendDue(outbox.toDeps(createFileTransport(folder, outbox.log)));

  test("a mail is a file that nobody else may read, named by moment and number", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    const [row] = await outbox.readRows();
    const name = `20260501T100000Z-${row?.id}.eml`;
    expect(await readdir(folder)).toEqual([name]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const content = await PostalMime.parse(await readFile(join(folder, name)));
    expect(content).toMatchObject({ messageId: row?.message_id, text: expect.stringContaining(CODE) });
    expect(row).toMatchObject({ status: "sent", response: join(folder, name) });
  });

  test("the log names the file and neither address nor code", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    const lines = outbox.log.lines.join("\n");
    expect(lines).toMatch(/20260501T100000Z-\d+\.eml/);
    expect(lines).not.toMatch(/@|271828/);
  });

  test("a second delivery takes the place of the first", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    const names = await readdir(folder);
    await outbox.pool.query("UPDATE mail_message SET status = 'pending', secret = $1", [
      outbox.secrets.seal(String((await outbox.readRows())[0]?.token), CODE),
    ]);
    await send();
    expect(await readdir(folder)).toEqual(names);
  });

  test("a folder that can't be written leaves nothing half done, and the mail is tried again", async () => {
    await writeFile(folder, "a file where the folder should be");
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    expect(await readdir(base)).toEqual(["mail"]);
    expect(await outbox.readRows()).toMatchObject([{ status: "pending", attempts: 1 }]);
  });

  test("old files go, younger ones and others stay", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    outbox.clock.now += 60_000;
    await outbox.mail.queue(outbox.pool, outbox.buildCode("eve@foyer.example"));
    await send();
    await writeFile(join(folder, "20250101T000000Z-notes.txt"), "mine");
    const names = (await readdir(folder)).sort();
    await deleteMailFiles(folder, new Date(outbox.clock.now), []);
    expect((await readdir(folder)).sort()).toEqual(
      names.filter((name) => !name.startsWith("20260501T100000Z")),
    );
    await expect(deleteMailFiles(join(base, "nowhere"), outbox.now(), [])).resolves.toBeUndefined();
  });

  test("the files of a deleted account's mails go too", async () => {
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    await send();
    await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "eve@foyer.example", language: "en" });
    await send();
    await outbox.mail.forgetPerson(outbox.pool, { userId: outbox.userId, addresses: [] });
    const ids = await selectForgotten(outbox.pool);
    await deleteMailFiles(folder, new Date(0), ids);
    const [, other] = await outbox.readRows();
    expect(await readdir(folder)).toEqual([expect.stringMatching(`-${other?.id}\\.eml$`)]);
  });
});
