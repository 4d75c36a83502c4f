import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createMailgunSource } from "./mailgun-source.ts";
import { toRefusal } from "./test-refusal.ts";

const KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const NOW_S = 1_764_000_000;
const HOUR_S = 3600;
const REPORT_TOKEN = "0123456789abcdef01234567";
const TOKEN = "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0";

const EVENT = {
  event: "failed",
  id: "G9Bn5sl1TC6nu79C8C0bwg",
  timestamp: 1_763_999_990.25,
  "log-level": "error",
  severity: "permanent",
  reason: "bounce",
  "delivery-status": {
    "attempt-no": 1,
    message: "5.1.1 No Such User Here",
    code: 550,
    "enhanced-code": "",
    description: "",
    "mx-host": "smtp-in.example.com",
  },
  flags: { "is-test-mode": false },
  envelope: { sender: "MARKER@example.org", targets: "lin@example.com" },
  message: {
    headers: {
      to: "MARKER <lin@example.com>",
      "message-id": "m1@foyer.test",
      from: "MARKER <site@example.org>",
      subject: "MARKER 483920",
    },
    attachments: [],
    size: 111,
  },
  storage: { url: "https://se.api.mailgun.net/MARKER", key: "MARKER" },
  recipient: "lin@example.com",
  tags: ["MARKER"],
  "user-variables": { "foyer-id": REPORT_TOKEN, other: "MARKER" },
};

const source = createMailgunSource({ signingKey: KEY, now: () => new Date(NOW_S * 1000) });

const hmac = (timestamp: string, token: string, key = KEY) =>
  createHmac("sha256", key)
    .update(timestamp + token)
    .digest("hex");

function sign(timestampS = NOW_S, token = TOKEN, key = KEY) {
  const timestamp = String(timestampS);
  return { timestamp, token, signature: hmac(timestamp, token, key) };
}

const verify = (event: object, signature: object = sign()) =>
  source.verify(Buffer.from(JSON.stringify({ signature, "event-data": event })), {});

async function readOne(event: object) {
  const report = await verify({ ...EVENT, ...event });
  const [read] = source.read(JSON.parse(JSON.stringify(report?.content)));
  return read;
}

test("a signed report has Mailgun's token for its key, and keeps no signature to send another with", async () => {
  const report = await verify(EVENT);
  expect(report?.key).toBe(TOKEN);
  expect(JSON.stringify(report?.content)).not.toContain(sign().signature);
});

test.each([
  ["of the last try, eight hours later", sign(NOW_S - 8 * HOUR_S)],
  ["of a clock that is ahead", sign(NOW_S + 600)],
  ["whose time is a number", { ...sign(), timestamp: NOW_S }],
])("a report %s is taken", async (_, signature) => {
  expect(await verify(EVENT, signature)).toBeDefined();
});

test.each([
  ["of another key", sign(NOW_S, TOKEN, "another-signing-key-of-somebody")],
  ["of the day before", sign(NOW_S - 24 * HOUR_S)],
  ["of tomorrow", sign(NOW_S + 24 * HOUR_S)],
  ["with another token", { ...sign(), token: TOKEN.replace("a", "b") }],
  ["with a later time", { ...sign(NOW_S - 24 * HOUR_S), timestamp: String(NOW_S) }],
  // Time and token are signed without a sign between them.
  ["with a digit moved to the time", { ...sign(NOW_S, `5${TOKEN}`), timestamp: `${NOW_S}5`, token: TOKEN }],
  ["with a signature that isn't hexadecimal", { ...sign(), signature: "zz" }],
])("one %s isn't proven", async (_, signature) => {
  expect(await toRefusal(verify(EVENT, signature))).toBe(403);
});

test.each<[string, object, object]>([
  ["no signature", EVENT, {}],
  ["signatures in a list", EVENT, [sign()]],
  ["tokens in a list", EVENT, { ...sign(), token: [TOKEN] }],
  ["a time that is none", EVENT, { ...sign(), timestamp: "now" }],
  ["events in a list", [EVENT], sign()],
  ["kinds in a list", { ...EVENT, event: ["failed"] }, sign()],
  ["recipients in a list", { ...EVENT, recipient: ["lin@example.com"] }, sign()],
  ["a huge recipient", { ...EVENT, recipient: "l".repeat(321) }, sign()],
  ["a huge token", EVENT, { ...sign(NOW_S, "a".repeat(101)) }],
  ["no time of the event", { ...EVENT, timestamp: "today" }, sign()],
])("one with %s is malformed", async (_, event, signature) => {
  expect(await toRefusal(verify(event, signature))).toBe(400);
});

test("a body that is no JSON is malformed", async () => {
  expect(await toRefusal(source.verify(Buffer.from("{"), {}))).toBe(400);
});

test("a permanent failure is a bounce, with its code, its server and its mail", async () => {
  expect(await readOne({})).toEqual({
    kind: "bounced",
    key: "G9Bn5sl1TC6nu79C8C0bwg/1763999990",
    occurredAt: "2025-11-24T15:59:50.250Z",
    recipient: "lin@example.com",
    mail: { reportToken: REPORT_TOKEN, messageId: "<m1@foyer.test>" },
    bounce: { type: "Permanent", subtype: "NoEmail" },
    statusCode: "5.1.1",
    diagnostic: "5.1.1 No Such User Here",
    feedbackId: "G9Bn5sl1TC6nu79C8C0bwg/1763999990",
    reportingServer: "smtp-in.example.com",
  });
});

const toStatus = (code: number, message: string, enhanced = "") => ({
  "delivery-status": { code, message, "enhanced-code": enhanced, description: null },
});

test.each<[string, object, string, string]>([
  ["without a code", toStatus(550, "Relay Not Permitted"), "Permanent", "General"],
  ["with a code beside the text", toStatus(552, "over quota", "5.2.2"), "Transient", "MailboxFull"],
  ["that speaks of us", toStatus(550, "5.7.1 listed"), "Transient", "General"],
  ["of a block", { reason: "espblock", ...toStatus(550, "blocked") }, "Transient", "General"],
  ["of a mail that was given up", { reason: "old", ...toStatus(602, "Too old") }, "Transient", "General"],
  ["without a severity", { severity: undefined, ...toStatus(0, "") }, "Undetermined", "General"],
  [
    "of an address that bounced before",
    { reason: "suppress-bounce", ...toStatus(605, "") },
    "Permanent",
    "OnAccountSuppressionList",
  ],
  [
    "of such an address, by its code",
    { reason: "hardfail", ...toStatus(605, "") },
    "Permanent",
    "OnAccountSuppressionList",
  ],
])("a permanent failure %s", async (_, event, type, subtype) => {
  expect(await readOne(event)).toMatchObject({ kind: "bounced", bounce: { type, subtype } });
});

test("a temporary failure is a delay, the last one a bounce", async () => {
  const temporary = { severity: "temporary", reason: "generic", ...toStatus(452, "4.2.2 over quota") };
  const event = await readOne(temporary);
  expect(event).toMatchObject({ kind: "delayed", statusCode: "4.2.2", diagnostic: "4.2.2 over quota" });
  expect(event).not.toHaveProperty("bounce");
  expect((await readOne({ ...temporary, reason: "old" }))?.bounce?.type).toBe("Transient");
});

test.each([
  { reason: "suppress-unsubscribe" },
  { reason: "suppress-complaint" },
  { reason: "generic", "delivery-status": { code: 606 } },
])("what Mailgun doesn't send because of a wish is a refusal, no bounce (%j)", async (event) => {
  expect((await readOne(event))?.kind).toBe("rejected");
});

test("a delivery and a refusal are read", async () => {
  expect((await readOne({ event: "delivered", ...toStatus(250, "OK") }))?.kind).toBe("delivered");
  const reject = { reason: "Sandbox subdomains are for test purposes only" };
  expect(await readOne({ event: "rejected", "delivery-status": undefined, reject })).toMatchObject({
    kind: "rejected",
    diagnostic: reject.reason,
  });
});

test.each([
  ["complained", "abuse"],
  ["unsubscribed", "opt-out"],
])("%s is a complaint: %s", async (event, feedbackType) => {
  expect(await readOne({ event })).toMatchObject({
    kind: "complained",
    complaint: { feedbackType, userAgent: null, candidates: 1 },
  });
});

test.each(["accepted", "opened", "clicked", "stored", "list_uploaded"])(
  "nothing is kept of %s",
  async (event) => {
    expect(await verify({ ...EVENT, event })).toBeUndefined();
  },
);

test("what isn't kept has to be proven too", async () => {
  expect(
    await toRefusal(verify({ ...EVENT, event: "opened" }, sign(NOW_S, TOKEN, "another-signing-key"))),
  ).toBe(403);
});

test("an event that two webhooks report has one key, and without an id its token's", async () => {
  const [first, second] = await Promise.all([verify(EVENT), verify(EVENT, sign(NOW_S - 1, `b${TOKEN}`))]);
  expect(second?.key).not.toBe(first?.key);
  expect(source.read(second?.content)[0]?.key).toBe(source.read(first?.content)[0]?.key);
  expect((await readOne({ id: undefined }))?.key).toBe(TOKEN);
});

test.each([[null], [{ "foyer-id": [REPORT_TOKEN] }], [{ "foyer-id": "x" }]])(
  "variables %j name no mail of ours and refuse no report",
  async (variables) => {
    const event = await readOne({ "user-variables": variables });
    expect(event?.mail).toEqual({ reportToken: undefined, messageId: "<m1@foyer.test>" });
  },
);

test.each(["failed", "delivered", "complained"])("no subject of a mail is kept of %s", async (event) => {
  const report = await verify({ ...EVENT, event, ...toStatus(550, '"483920 is your code"') });
  expect(JSON.stringify(report?.content)).not.toMatch(/MARKER|483920/);
});

test("an empty signing key is refused", () => {
  expect(() => createMailgunSource({ signingKey: "", now: () => new Date() })).toThrow("signing key");
});
