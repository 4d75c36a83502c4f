import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createSignedSource } from "./signed-source.ts";
import { toRefusal } from "./test-refusal.ts";

const SECRET = "a-secret-of-thirty-two-characters";
const NEXT_SECRET = "the-secret-that-takes-its-place-soon";
const NOW_S = 1_764_000_000;
const TOKEN = "0123456789abcdef01234567";
const EVENT = { type: "delivered", recipient: "lin@example.com", at: "2025-11-24T16:00:00+01:00" };

const source = createSignedSource({ secrets: [SECRET, NEXT_SECRET], now: () => new Date(NOW_S * 1000) });

const sign = (raw: Buffer, t: number | string = NOW_S, secret = SECRET) =>
  `t=${t},v1=${createHmac("sha256", secret).update(`${t}.`).update(raw).digest("hex")}`;
const toRaw = (body: unknown) => Buffer.from(JSON.stringify(body));
const verifyRaw = (raw: Buffer, signature?: string | string[]) =>
  source.verify(raw, signature === undefined ? {} : { "foyer-signature": signature });
const verify = (body: unknown) => verifyRaw(toRaw(body), sign(toRaw(body)));

async function readOne(event: object) {
  const report = await verify({ id: "r1", events: [{ ...EVENT, ...event }] });
  // As it comes back from the database.
  const [read] = source.read(JSON.parse(JSON.stringify(report?.content)));
  return read;
}

const RAW = toRaw({ id: "r1", events: [EVENT] });

test("a signed report is taken under its own id", async () => {
  expect(await verifyRaw(RAW, sign(RAW))).toEqual({ key: "r1", content: { id: "r1", events: [EVENT] } });
});

test.each([
  ["by the secret that takes the other's place", sign(RAW, NOW_S, NEXT_SECRET)],
  ["five minutes ago", sign(RAW, NOW_S - 300)],
  ["five minutes ahead", sign(RAW, NOW_S + 300)],
  ["beside a signature of another secret", `${sign(RAW)},v1=${"0".repeat(64)}`],
  [
    "behind one of another secret, with blanks",
    `t=${NOW_S}, v1=${"0".repeat(64)}, ${sign(RAW).split(",")[1]}`,
  ],
  ["beside a newer scheme", `${sign(RAW)},v2=abc`],
])("one that was signed %s is taken", async (_, signature) => {
  expect((await verifyRaw(RAW, signature))?.key).toBe("r1");
});

test.each<[string, string | string[] | undefined]>([
  ["without a signature", undefined],
  ["with an empty one", ""],
  ["with two headers", [sign(RAW), sign(RAW)]],
  ["with a time alone", `t=${NOW_S}`],
  ["with a signature alone", sign(RAW).split(",")[1]],
  ["of another secret", sign(RAW, NOW_S, "another-secret-of-thirty-two-signs")],
  ["of six minutes ago", sign(RAW, NOW_S - 301)],
  ["of six minutes ahead", sign(RAW, NOW_S + 301)],
  ["signed for another time", sign(RAW, NOW_S - 900).replace(String(NOW_S - 900), String(NOW_S))],
  ["with a time that is none", sign(RAW, "NaN")],
  ["with a time in another writing", sign(RAW, "1.764e9")],
])("one %s isn't proven", async (_, signature) => {
  expect(await toRefusal(verifyRaw(RAW, signature))).toBe(403);
});

test("a report that was changed by one byte isn't proven", async () => {
  const changed = Buffer.from(RAW.toString().replace("lin@", "lim@"));
  expect(await toRefusal(verifyRaw(changed, sign(RAW)))).toBe(403);
});

test.each<[string, unknown]>([
  ["no object", []],
  ["no id", { events: [EVENT] }],
  ["an id that is a list", { id: ["r1"], events: [EVENT] }],
  ["an id with a zero byte", { id: "r\u00001", events: [EVENT] }],
  ["an id with half a character", { id: "r\ud800", events: [EVENT] }],
  ["no event", { id: "r1", events: [] }],
  ["101 events", { id: "r1", events: Array(101).fill(EVENT) }],
  ["events that are an object", { id: "r1", events: { 0: EVENT, length: 1 } }],
  ["an unknown type", { id: "r1", events: [{ ...EVENT, type: "opened" }] }],
  ["recipients in a list", { id: "r1", events: [{ ...EVENT, recipient: ["lin@example.com"] }] }],
  ["a huge recipient", { id: "r1", events: [{ ...EVENT, recipient: "l".repeat(321) }] }],
  [
    "a huge diagnostic",
    { id: "r1", events: [{ ...EVENT, bounce: { type: "transient", diagnostic: "x".repeat(20_001) } }] },
  ],
  ["no moment", { id: "r1", events: [{ ...EVENT, at: "yesterday" }] }],
  ["a token of another shape", { id: "r1", events: [{ ...EVENT, token: "abc" }] }],
  ["a bounce without its details", { id: "r1", events: [{ ...EVENT, type: "bounced" }] }],
  [
    "a status that is none",
    { id: "r1", events: [{ ...EVENT, bounce: { type: "transient", status: "550" } }] },
  ],
])("a signed body with %s is malformed", async (_, body) => {
  expect(await toRefusal(verify(body))).toBe(400);
});

test.each([
  ["no JSON", Buffer.from("{")],
  ["bytes that are no text", Buffer.from([0x22, 0xff, 0x22])],
  ["brackets without an end", Buffer.from("[".repeat(500_000))],
])("a signed body of %s is malformed", async (_, raw) => {
  expect(await toRefusal(verifyRaw(raw, sign(raw)))).toBe(400);
});

test.each(["delivered", "delayed", "rejected"])("%s is read with its moment and its mail", async (type) => {
  const event = await readOne({
    type,
    token: TOKEN.toUpperCase(),
    provider_id: "p-1",
    message_id: "m@foyer.test",
  });
  expect(event).toEqual({
    kind: type,
    key: "r1/0",
    occurredAt: "2025-11-24T15:00:00.000Z",
    recipient: "lin@example.com",
    mail: { reportToken: TOKEN, providerId: "p-1", messageId: "<m@foyer.test>" },
  });
});

test("a bounce is read with its code, and what may be a code of a mail is hidden", async () => {
  const bounce = {
    type: "permanent",
    subtype: "NoEmail",
    status: "5.1.1",
    diagnostic: "550 no\nsuch user 483920",
  };
  expect(await readOne({ type: "bounced", bounce })).toMatchObject({
    kind: "bounced",
    bounce: { type: "Permanent", subtype: "NoEmail" },
    statusCode: "5.1.1",
    diagnostic: "550 no such user ••••••",
    feedbackId: "r1/0",
  });
});

test("a bounce that says no more than its type is a general one", async () => {
  const event = await readOne({ type: "bounced", bounce: { type: "transient" } });
  expect(event?.bounce).toEqual({ type: "Transient", subtype: "General" });
});

test.each([
  [
    { feedback_type: "Abuse", user_agent: "Yahoo/2" },
    { feedbackType: "abuse", userAgent: "Yahoo/2" },
  ],
  [undefined, { feedbackType: null, userAgent: null }],
])("a complaint with %j is one person's", async (complaint, expected) => {
  const event = await readOne({ type: "complained", complaint });
  expect(event?.complaint).toEqual({ ...expected, candidates: 1 });
});

test("a delay keeps its reason and is no bounce", async () => {
  const event = await readOne({ type: "delayed", bounce: { type: "transient", diagnostic: "452 full" } });
  expect(event).toMatchObject({ kind: "delayed", diagnostic: "452 full" });
  expect(event).not.toHaveProperty("bounce");
});

test("the events of one report have keys of their own, the same each time", async () => {
  const report = await verify({ id: "r1", events: [EVENT, EVENT] });
  expect(source.read(report?.content).map(({ key }) => key)).toEqual(["r1/0", "r1/1"]);
});

test("what the documentation doesn't name isn't kept, nor a code in what the server said", async () => {
  const report = await verify({
    id: "r1",
    subject: "MARKER",
    events: [
      {
        ...EVENT,
        subject: "MARKER",
        body: "MARKER",
        bounce: { type: "transient", dump: "MARKER", diagnostic: "483920" },
      },
    ],
  });
  expect(JSON.stringify(report?.content)).not.toMatch(/MARKER|483920/);
});

test.each([[[]], [[SECRET, "short"]], [["x".repeat(31)]]])("the secrets %j are refused", (secrets) => {
  expect(() => createSignedSource({ secrets, now: () => new Date() })).toThrow("at least 32 characters");
});
