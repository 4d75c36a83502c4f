import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DEFAULT_ACCENT } from "#contract/site/accent.ts";
import { createTestDatabase } from "#test/database.ts";
import { parseConfig } from "./config.ts";
import { createMailWays, createSendingDomain, openMailDeps, toSmtpServer } from "./open-mail.ts";

test.each([
  ["smtp://me:secret@mail.example.org", { host: "mail.example.org", port: 587, isSecure: false }],
  ["smtps://mail.example.org", { host: "mail.example.org", port: 465, isSecure: true }],
  ["smtp://mail.example.org?secure=true", { host: "mail.example.org", port: 465, isSecure: true }],
  ["smtp://[::1]:2525/?requireTLS=true", { host: "::1", port: 2525, isSecure: false }],
])("%s is a server", (url, server) => {
  expect(toSmtpServer(url)).toEqual(server);
});

test("without a mail server there is no domain to look up, and with one nothing is looked up yet", () => {
  const deps = { log: { info: () => {} }, now: () => new Date() };
  expect(createSendingDomain({ config: parseConfig({}), ...deps })).toBeUndefined();
  const config = parseConfig({
    SMTP_URL: "smtps://mail.example.org",
    PUBLIC_URL: "https://example.org",
    MAIL_FROM: "Ada <ada@example.org>",
    MAIL_DKIM_SELECTOR: "s1",
  });
  expect(createSendingDomain({ config, ...deps })?.domain).toBe("example.org");
});

const SENDING = {
  PUBLIC_URL: "https://site.example",
  SMTP_URL: "smtp://127.0.0.1:25",
  MAIL_FROM: "site@from.example",
  MAIL_BOUNCES: "back@bounces.example",
};

test.each([
  ["a provider", { POSTMARK_WEBHOOK: "post:a-password-that-is-long-enough-for-it" }, "x@from.example"],
  ["a listener", { MAIL_LISTEN: "127.0.0.1:2525" }, "x@bounces.example"],
  ["a folder", { MAIL_MAILDIR: "mail" }, "nobody@x.bounces.example"],
  ["a folder and a listener", { MAIL_MAILDIR: "mail", MAIL_LISTEN: "127.0.0.1:2525" }, "x@bounces.example"],
])(
  "with %s a mail comes back from an address that the server which is asked doesn't know",
  (_way, more, address) => {
    const { toReturningAddress } = createMailWays(parseConfig({ ...SENDING, ...more }), () => new Date());
    expect(toReturningAddress?.("x")).toBe(address);
  },
);

test("mails that are files come back from nowhere", () => {
  const { toReturningAddress } = createMailWays(parseConfig({ MAIL_MAILDIR: "mail" }), () => new Date());
  expect(toReturningAddress).toBeUndefined();
});

test.each([
  [{ MAIL_MAILDIR: "mail" }, false],
  [{ MAIL_MAILDIR: "mail", MAIL_FEEDBACK: "fbl@foyer.example" }, true],
])("complaints come in where providers have an address for them: %j", (settings, isThere) => {
  expect(createMailWays(parseConfig(settings), () => new Date()).hasFeedbackAddress).toBe(isThere);
});

test("mails have the accent that holds when they are sent", async () => {
  const { pool, close } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-open-mail-"));
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const { worker } = await openMailDeps({
    config: { ...parseConfig({}), dataDir },
    pool,
    log,
    now: () => new Date(),
    getOrigin: () => "https://site.test",
  });
  const readAccent = async () => (await worker.site.getOwner("tr")).accent;
  expect(await readAccent()).toBe(DEFAULT_ACCENT);
  await pool.query(
    "INSERT INTO site_look (accent, fonts, picture_shape) VALUES ('#c2185b', 'newsreader', 'round')",
  );
  expect(await readAccent()).toBe("#c2185b");
  await close();
  await rm(dataDir, { recursive: true, force: true });
});
