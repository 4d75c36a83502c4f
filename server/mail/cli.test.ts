import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Command, CommanderError } from "commander";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { notifyChange } from "../db/change-notices.ts";
import { registerMailCommands } from "./cli.ts";
import { openTestOutbox, sendDue, type TestOutbox } from "./outbox/test-outbox.ts";
import { createSmtpTransport, type MailTransport } from "./outbox/transports.ts";

let outbox: TestOutbox;
let sink: MailSink;
let transport: MailTransport;
let closed = 0;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  await outbox.empty();
  closed = 0;
  sink = await openMailSink();
  transport = createSmtpTransport(sink.url);
});
afterEach(async () => {
  await transport.close();
  await sink.close();
});

/** Runs a command as `foyer` does and gives back what a terminal would see. */
async function run(...words: string[]): Promise<{ out: string; error: string; exitCode: number }> {
  const result = { out: "", error: "", exitCode: 0 };
  const configure = (command: Command) =>
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        result.out += text;
      },
      writeErr: (text) => {
        result.error += text;
      },
    });
  const program = configure(new Command("foyer"));
  const { secrets, now } = outbox;
  registerMailCommands(program, async () => ({
    worker: outbox.toDeps(transport),
    queue: { secrets, domain: "foyer.example", now },
    close: async () => void closed++,
  }));
  for (const command of program.commands) configure(command).commands.forEach(configure);
  try {
    await program.parseAsync(["mail", ...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    result.exitCode = error.exitCode;
  }
  return result;
}

test("a test mail is sent at once, and what the server answered is shown", async () => {
  expect(await run("test", "ada@foyer.example", "--lang", "tr")).toEqual({
    out: "The test mail was handed over: 250 accepted\n",
    error: "",
    exitCode: 0,
  });
  expect(sink.accepted).toMatchObject([{ recipient: "ada@foyer.example" }]);
  expect(closed).toBe(1);
});

test("its end is published to whoever shows the outbox", async () => {
  const feed = await openChangeFeed(outbox.database.connection, outbox.log);
  const received: (string | undefined)[] = [];
  feed.subscribe((modelKey) => received.push(modelKey));
  await run("test", "ada@foyer.example");
  await notifyChange(outbox.pool, "test.last");
  while (!received.includes("test.last")) await setTimeout(5);
  expect(received).toEqual(["mail.message", "mail.message", "test.last"]);
  await feed.close();
});

test("what waits before it is left to the server", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode("eve@foyer.example"));
  await run("test", "ada@foyer.example");
  expect(sink.accepted).toMatchObject([{ recipient: "ada@foyer.example" }]);
});

test("a server that works beside the command does not send the test mail too", async () => {
  let whileSending = Promise.resolve();
  sink.answer = () => {
    whileSending = sendDue(outbox.toDeps(transport));
    return { kind: "accept", afterMs: 100 };
  };
  await run("test", "ada@foyer.example");
  await whileSending;
  expect(sink.mails).toHaveLength(1);
});

test("a refusal ends with 1 and the server's words", async () => {
  sink.answerRecipient = () => ({ status: 550, text: "no such person" });
  const { out, error, exitCode } = await run("test", "ada@foyer.example");
  expect({ out, exitCode, closed }).toEqual({ out: "", exitCode: 1, closed: 1 });
  expect(error).toContain("The test mail was not sent: ");
  expect(error).toContain("550 no such person");
});

test("a server that can't be reached is reported, and the mail stays in the outbox", async () => {
  await sink.close();
  const { error, exitCode } = await run("test", "ada@foyer.example");
  expect(exitCode).toBe(1);
  expect(error).toMatch(/ECONNREFUSED.*The server tries again later/);
  expect(await outbox.readRows()).toMatchObject([{ status: "pending" }]);
});

test("a suppressed address is reported", async () => {
  await outbox.suppress({
    address: "ada@foyer.example",
    scope: "all",
    reason: "asked",
    source: "admin",
    sourceEventId: null,
    expiresAt: null,
  });
  const { error, exitCode } = await run("test", "ada@foyer.example");
  expect(exitCode).toBe(1);
  expect(error).toContain("on the list of those that get no mail");
});

test.each(["ada", "ada@", "a b@foyer.example", "ada@foyer.example,eve@foyer.example"])(
  "%j is refused before anything is opened",
  async (address) => {
    const { error, exitCode } = await run("test", address);
    expect({ exitCode, closed }).toEqual({ exitCode: 1, closed: 0 });
    expect(error).toBe(`${address} is no e-mail address.\n`);
  },
);

test.each([
  [[], "1 mail released: a running server sends them.\n", "pending"],
  [["--discard"], "1 mail will never be sent.\n", "expired"],
])("what waits is released, or given up: %j", async (options, out, status) => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await outbox.pool.query("UPDATE mail_message SET status = 'held', delivery_state = 'held'");
  expect(await run("release", ...options)).toMatchObject({ out, exitCode: 0 });
  expect(await outbox.readRows()).toMatchObject([{ status, delivery_state: status }]);
});
