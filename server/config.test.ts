import { expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "./config.ts";

test("an empty environment gives the documented defaults", () => {
  expect(parseConfig({}, "/srv/foyer")).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDir: "/srv/foyer/data",
    logLevel: "info",
    trustProxy: false,
    publicUrl: undefined,
    databaseUrl: undefined,
  });
});

test("an empty value counts as unset", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: "", PUBLIC_URL: "" })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
  });
});

test.each([
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "example.org"],
  ["PUBLIC_URL", "https://example.org/site"],
  ["PUBLIC_URL", "https://example.org/?a=1"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["LOG_LEVEL", "loud"],
  ["TRUST_PROXY", "yes please"],
  ["OWNER_EMAIL", "nobody"],
  ["SMTP_URL", "mail.example.org"],
  ["SMTP_URL", "http://mail.example.org"],
  ["SMTP_URL", "smtp://"],
  ["SMTP_URL", "smtp://me:pass#word@mail.example.org"],
  ["SMTP_URL", "smtp://mail.example.org/#rest"],
  ["MAIL_FROM", "nobody"],
  ["MAIL_FROM", "ada@example..org"],
  ["MAIL_FROM", "ada@example.org."],
  ["MAIL_FROM", "ada@-example.org"],
  ["MAIL_FROM", "Ada <nobody>"],
  ["MAIL_FROM", "Ada\r\nBcc: eve@example.org <ada@example.org>"],
  ["MAIL_FROM", "ada@example.org, eve@example.org"],
  ["MAIL_BOUNCES", "Ada <ada@example.org>"],
  ["MAIL_BOUNCES", `${"a".repeat(38)}@example.org`],
])("a wrong %s (%s) is refused by name", (name, value) => {
  expect(() => parseConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => parseConfig({ [name]: value })).toThrow(`\n  ${name}`);
});

test("the password in a wrong DATABASE_URL is not repeated", () => {
  expect(() => parseConfig({ DATABASE_URL: "mysql://me:hunter2@localhost/x" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test("the password in a wrong SMTP_URL is not repeated", () => {
  expect(() => parseConfig({ SMTP_URL: "smpt://me:hunter2@localhost" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test("a wrong SMTP_URL is told of once, and how a password with other signs is written", () => {
  const others = { MAIL_FROM: "ada@example.org", PUBLIC_URL: "https://example.org" };
  expect(() => parseConfig({ SMTP_URL: "mail.example.org:587", ...others })).toThrow(
    /^[^\n]*\n {2}SMTP_URL: .*%23.*$/,
  );
});

test.each(["smtp://me:pa%23ss@host:587", "smtps://host?tls.rejectUnauthorized=false", "smtp://[::1]:2525"])(
  "%s names a mail server",
  (SMTP_URL) => {
    const others = { MAIL_FROM: "ada@mail.example.org", PUBLIC_URL: "https://example.org" };
    expect(parseConfig({ SMTP_URL, ...others }).smtpUrl).toBe(SMTP_URL);
  },
);

test("a mail server needs to be told who mails come from", () => {
  const PUBLIC_URL = "https://example.org";
  expect(() => parseConfig({ SMTP_URL: "smtp://me:hunter2@localhost", PUBLIC_URL })).toThrow(
    /MAIL_FROM.*is needed/,
  );
  expect(
    parseConfig({ SMTP_URL: "smtps://localhost", MAIL_FROM: "ada@example.org", PUBLIC_URL }),
  ).toMatchObject({
    smtpUrl: "smtps://localhost",
    mailFrom: { name: "", address: "ada@example.org" },
    mailBounces: "ada@example.org",
  });
});

test("mails that are sent need an address for their links, mails that are files don't", () => {
  const MAIL_FROM = "ada@example.org";
  expect(() => parseConfig({ SMTP_URL: "smtps://localhost", MAIL_FROM })).toThrow(/PUBLIC_URL.*is needed/);
  expect(parseConfig({ MAIL_FROM }).publicUrl).toBeUndefined();
});

test.each([
  ["Ada's site <ada@example.org>", "Ada's site"],
  ['"Lovelace, Ada" <ada@example.org>', "Lovelace, Ada"],
  ["<ada@example.org>", ""],
])("MAIL_FROM may carry a name: %s", (text, name) => {
  expect(parseConfig({ MAIL_FROM: text }).mailFrom).toEqual({ name, address: "ada@example.org" });
});

test("a long MAIL_FROM needs another address for bounces, whose tokens have to fit", () => {
  const MAIL_FROM = `${"a".repeat(38)}@example.org`;
  expect(() => parseConfig({ MAIL_FROM })).toThrow("MAIL_BOUNCES");
  expect(parseConfig({ MAIL_FROM, MAIL_BOUNCES: "b@example.org" }).mailBounces).toBe("b@example.org");
});

test("without settings mails have a sender that is good for files alone", () => {
  expect(parseConfig({})).toMatchObject({
    smtpUrl: undefined,
    mailFrom: { name: "Foyer", address: "foyer@localhost" },
    mailBounces: "foyer@localhost",
  });
});

test("all wrong values are named at once", () => {
  expect(() => parseConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
});

test("TRUST_PROXY=1 trusts the nearest hop only", () => {
  const { trustProxy } = parseConfig({ TRUST_PROXY: "1" });
  if (typeof trustProxy !== "function") throw new Error("not a function of hops");
  expect([trustProxy("10.0.0.1", 0), trustProxy("10.0.0.1", 1)]).toEqual([true, false]);
});
