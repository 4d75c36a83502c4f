import { createHmac, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import nodemailer from "nodemailer";
import { createTestApp, type TestApp } from "#test/app.ts";
import { type DatabaseLine, openDatabaseLine } from "#test/database-line.ts";
import { until } from "#test/until.ts";
import { createReportIntake } from "./reports.ts";
import { openReturnedMail } from "./returned/open-returned.ts";
import { createSesSource } from "./ses/ses-source.ts";
import {
  createCertificateHost,
  getOwnCertificate,
  NOW,
  readEnvelope,
  readMailFile,
  sign,
  TOPIC,
} from "./ses/test-sns.ts";
import { createMailgunSource } from "./webhooks/mailgun-source.ts";
import { createPostmarkSource } from "./webhooks/postmark-source.ts";
import { createSignedSource } from "./webhooks/signed-source.ts";

const SECRET = "a-secret-of-thirty-two-characters";
const REPORT_TOKEN = "0123456789abcdef01234567";
const now = () => NOW;
const NOW_S = String(NOW.getTime() / 1000);
const hmac = (...parts: string[]) => createHmac("sha256", SECRET).update(parts.join("")).digest("hex");

/** What each provider posts, proven as it proves it. */
function buildPosts() {
  const signed = JSON.stringify({
    id: "r1",
    events: [{ type: "delivered", recipient: "lin@example.com", at: "2026-11-20T12:00:00Z" }],
  });
  const mailgunToken = "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0";
  const postmark = {
    RecordType: "Bounce",
    ID: 7,
    Type: "HardBounce",
    TypeCode: 1,
    MessageID: randomUUID(),
    Details: "smtp;550 5.1.1 no such user",
    Description: "unknown user",
    Email: "lin@example.com",
    BouncedAt: "2026-11-20T12:00:00Z",
  };
  const mailgun = {
    signature: { timestamp: NOW_S, token: mailgunToken, signature: hmac(NOW_S, mailgunToken) },
    "event-data": {
      event: "delivered",
      id: "G9Bn5sl1TC6nu79C8C0bwg",
      timestamp: NOW.getTime() / 1000,
      message: { headers: { "message-id": "m1@foyer.test" } },
      recipient: "lin@example.com",
    },
  };
  return {
    ses: { body: JSON.stringify(sign(readEnvelope("sns/delivery.json"))), headers: {} },
    postmark: {
      body: JSON.stringify(postmark),
      headers: { authorization: `Basic ${Buffer.from(`post:${SECRET}`).toString("base64")}` },
    },
    mailgun: { body: JSON.stringify(mailgun), headers: {} },
    signed: {
      body: signed,
      headers: { "foyer-signature": `t=${NOW_S},v1=${hmac(`${NOW_S}.`, signed)}` },
    },
  } as const;
}

let line: DatabaseLine;
let site: TestApp;
let origin: string;
let folder: string;
beforeAll(async () => {
  const { fetch } = createCertificateHost(() => new Response(getOwnCertificate().pem));
  line = await openDatabaseLine();
  site = await createTestApp({
    database: line,
    mailWays: {
      webhooks: [
        createSesSource({ topics: [TOPIC], fetch, now }),
        createPostmarkSource({ user: "post", password: SECRET }),
        createMailgunSource({ signingKey: SECRET, now }),
        createSignedSource({ secrets: [SECRET], now }),
      ],
      takesReturnedMail: true,
    },
  });
  origin = await site.listen();
  folder = await mkdtemp(join(tmpdir(), "foyer-away-"));
  for (const room of ["new", "cur", "tmp"]) await mkdir(join(folder, room));
  await line.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status)
     VALUES ('t', $1, 'm', 'test', 'nobody@example.net', 'nobody@example.net', 'en', '{}', 'sent')`,
    [REPORT_TOKEN],
  );
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

const RETURN_PATH = `back+b-${REPORT_TOKEN}@foyer.example`;
const toReturn = (id: string) =>
  readMailFile("dsn/01-user-unknown-failed.eml")
    .toString()
    .replaceAll("bounces+d165d9e10261@foyer.test", RETURN_PATH)
    .replace("20261120113617.87AD51C6407", id);

const countReports = async (source: string) => {
  const { rows } = await line.pool.query(
    "SELECT count(*)::integer AS count FROM mail_report WHERE source = $1",
    [source],
  );
  return rows[0].count;
};

test.each(Object.entries(buildPosts()))(
  "%s receives 503 while the database can't be reached, and its report is stored when it sends it again",
  async (name, { body, headers }) => {
    const post = async () =>
      (await fetch(`${origin}/api/mail/webhooks/${name}/`, { method: "POST", body, headers })).status;
    await line.cut();
    for (const _ of ["at once", "again"]) expect(await post()).toBe(503);
    await line.mend();
    expect(await post()).toBe(200);
    expect(await countReports(name)).toBe(1);
    expect(await post()).toBe(200);
    expect(await countReports(name)).toBe(1);
  },
);

test("a forged report is refused for good also while the database can't be reached", async () => {
  await line.cut();
  const answer = await fetch(`${origin}/api/mail/webhooks/signed/`, { method: "POST", body: "{}" });
  await line.mend();
  expect(answer.status).toBe(403);
});

test("returned mail is asked to come again, or stays in its folder, until the database is back", async () => {
  const log = { info: (details: object) => void ports.push(details), warn() {}, error() {} };
  const ports: object[] = [];
  const { pool } = line;
  const returned = await openReturnedMail({
    listen: { host: "127.0.0.1", port: 0 },
    maildir: folder,
    feedbackAddress: "fbl@foyer.example",
    bounces: "back@foyer.example",
    pool,
    intake: createReportIntake({ pool, log, now }),
    log,
  });
  const port = Number(ports.flatMap((details) => ("port" in details ? [details.port] : []))[0]);
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const send = (to: string) => transport.sendMail({ envelope: { from: "", to }, raw: toReturn("by-smtp") });

  await line.cut();
  await expect(send(RETURN_PATH)).rejects.toMatchObject({ responseCode: 451 });
  // Its recipient is known without the database, so it is turned away at the end of its text.
  await expect(send("fbl@foyer.example")).rejects.toMatchObject({ responseCode: 451 });
  await writeFile(join(folder, "new", "1.host"), toReturn("by-folder"));
  const faults: unknown[] = [];
  log.error = (...fault: unknown[]) => void faults.push(fault);
  log.warn = log.error;
  await until(() => faults.length > 0);
  expect(await readdir(join(folder, "new"))).toEqual(["1.host"]);
  expect(await readFile(join(folder, "new", "1.host"), "utf8")).toBe(toReturn("by-folder"));

  await line.mend();
  await send(RETURN_PATH);
  await until(async () => (await readdir(join(folder, "cur"))).length === 1);
  expect(await readdir(join(folder, "new"))).toEqual([]);
  expect(await countReports("returned")).toBe(2);
  transport.close();
  await returned.close();
});
