import { expect, test } from "@jest/globals";
import { parseConfig } from "./config.ts";
import { createSendingDomain, toSmtpServer } from "./open-mail.ts";

test.each([
  ["smtp://me:secret@mail.example.org", { host: "mail.example.org", port: 587, isSecure: false }],
  ["smtps://mail.example.org", { host: "mail.example.org", port: 465, isSecure: true }],
  ["smtp://mail.example.org?secure=true", { host: "mail.example.org", port: 465, isSecure: true }],
  ["smtp://[::1]:2525/?requireTLS=true", { host: "::1", port: 2525, isSecure: false }],
])("%s is a server", (url, server) => {
  expect(toSmtpServer(url)).toEqual(server);
});

test("without a mail server there is no domain to look up, and with one nothing is looked up yet", () => {
  const parts = { log: { info: () => {} }, now: () => new Date() };
  expect(createSendingDomain({ config: parseConfig({}), ...parts })).toBeUndefined();
  const config = parseConfig({
    SMTP_URL: "smtps://mail.example.org",
    PUBLIC_URL: "https://example.org",
    MAIL_FROM: "Ada <ada@example.org>",
    MAIL_DKIM_SELECTOR: "s1",
  });
  expect(createSendingDomain({ config, ...parts })?.domain).toBe("example.org");
});
