import { expect, test } from "@jest/globals";
import { createPostmarkSource } from "./postmark-source.ts";
import { toRefusal } from "./test-refusal.ts";

const TOKEN = "0123456789abcdef01234567";
const MESSAGE_ID = "883953f4-6105-42a2-a16a-77a8eac79483";

const BOUNCE = {
  RecordType: "Bounce",
  MessageStream: "outbound",
  ID: 4_323_372_036_854_775,
  Type: "HardBounce",
  TypeCode: 1,
  Name: "Hard bounce",
  Tag: "MARKER",
  MessageID: MESSAGE_ID,
  Metadata: { "foyer-id": TOKEN, other: "MARKER" },
  ServerID: 23,
  Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "smtp;550 5.1.1 no such user",
  Email: "lin@example.com",
  From: "site@example.org",
  BouncedAt: "2025-11-24T16:33:54.9070259-05:00",
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: "MARKER 483920",
  Content: "MARKER 483920",
  Dump: "MARKER",
};
const COMPLAINT = {
  ...BOUNCE,
  RecordType: "SpamComplaint",
  Type: "SpamComplaint",
  TypeCode: 512,
  Details: "",
};
const DELIVERY = {
  RecordType: "Delivery",
  ServerID: 23,
  MessageStream: "outbound",
  MessageID: MESSAGE_ID,
  Recipient: "lin@example.com",
  Tag: "MARKER",
  DeliveredAt: "2025-11-24T16:33:54Z",
  Details: "smtp;250 2.0.0 OK",
  Metadata: { "foyer-id": TOKEN },
};

const source = createPostmarkSource({ user: "postmark", password: "pass:wörd" });
const toHeader = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`;
const GOOD = toHeader("postmark:pass:wörd");

const verify = (body: unknown, authorization: string | undefined = GOOD) =>
  source.verify(Buffer.from(JSON.stringify(body)), authorization === undefined ? {} : { authorization });

async function readOne(body: object) {
  const report = await verify(body);
  const [event] = source.read(JSON.parse(JSON.stringify(report?.content)));
  return event;
}

test.each([
  ["", ""],
  ["another password", toHeader("postmark:password")],
  ["another user", toHeader("Postmark:pass:wörd")],
  ["a longer password", toHeader("postmark:pass:wörds")],
  ["the password alone", toHeader("pass:wörd")],
  ["another scheme", GOOD.replace("Basic", "Bearer")],
  ["what is no base64", "Basic postmark:pass:wörd"],
])("a report with %s in its header isn't proven", async (_, header) => {
  expect(await toRefusal(verify(BOUNCE, header))).toBe(403);
});

test("a report without credentials isn't proven, whatever it is", async () => {
  expect(await toRefusal(source.verify(Buffer.from("{"), {}))).toBe(403);
});

test("the scheme's name is taken in any case", async () => {
  expect(await verify(BOUNCE, GOOD.replace("Basic", "basic"))).toBeDefined();
});

test.each<[string, unknown]>([
  ["no object", [BOUNCE]],
  ["no record type", { ...BOUNCE, RecordType: undefined }],
  ["record types in a list", { ...BOUNCE, RecordType: ["Bounce"] }],
  ["addresses in a list", { ...BOUNCE, Email: ["lin@example.com"] }],
  ["a huge address", { ...BOUNCE, Email: "l".repeat(321) }],
  ["an id that is text", { ...BOUNCE, ID: "42" }],
  ["message ids in a list", { ...DELIVERY, MessageID: [MESSAGE_ID] }],
  ["no recipient", { ...DELIVERY, Recipient: undefined }],
])("one with %s is malformed", async (_, body) => {
  expect(await toRefusal(verify(body))).toBe(400);
});

test("a body that is no JSON is malformed", async () => {
  expect(await toRefusal(source.verify(Buffer.from("{"), { authorization: GOOD }))).toBe(400);
});

test("a hard bounce is read with its code, its moment in UTC and its mail", async () => {
  expect(await readOne(BOUNCE)).toEqual({
    kind: "bounced",
    key: "Bounce/4323372036854775",
    occurredAt: "2025-11-24T21:33:54.907Z",
    recipient: "lin@example.com",
    mail: { providerId: MESSAGE_ID, reportToken: TOKEN },
    bounce: { type: "Permanent", subtype: "NoEmail" },
    statusCode: "5.1.1",
    diagnostic: "smtp;550 5.1.1 no such user",
    feedbackId: "4323372036854775",
  });
});

test.each([
  ["HardBounce", "Permanent", "General"],
  ["BadEmailAddress", "Permanent", "NoEmail"],
  ["SoftBounce", "Transient", "General"],
  ["Transient", "Transient", "General"],
  ["DnsError", "Transient", "General"],
  ["Blocked", "Transient", "General"],
  ["VirusNotification", "Transient", "ContentRejected"],
  ["Unknown", "Undetermined", "Undetermined"],
  ["OfTomorrow", "Undetermined", "OfTomorrow"],
  ["constructor", "Undetermined", "constructor"],
])("a %s without a code is a bounce: %s, %s", async (Type, type, subtype) => {
  const event = await readOne({ ...BOUNCE, Type, Details: "" });
  expect(event).toMatchObject({ kind: "bounced", bounce: { type, subtype } });
  expect(event?.diagnostic).toMatch(/^The server was unable/);
});

test("a hard bounce whose code speaks of us doesn't condemn the address", async () => {
  const event = await readOne({ ...BOUNCE, Details: "smtp;550 5.7.1 your host is listed" });
  expect(event?.bounce).toEqual({ type: "Transient", subtype: "General" });
});

test.each(["ManuallyDeactivated", "Unconfirmed", "DMARCPolicy"])("a %s is a refusal", async (Type) => {
  const event = await readOne({ ...BOUNCE, Type });
  expect(event?.kind).toBe("rejected");
  expect(event).not.toHaveProperty("bounce");
});

test.each(["SMTPApiError", "TemplateRenderingFailed"])("a %s is a failure", async (Type) => {
  expect((await readOne({ ...BOUNCE, Type }))?.kind).toBe("failed");
});

test.each([
  [COMPLAINT, "abuse"],
  [{ ...BOUNCE, Type: "SpamComplaint" }, "abuse"],
  [{ ...BOUNCE, Type: "SpamNotification" }, "other"],
  [{ ...BOUNCE, Type: "Unsubscribe" }, "opt-out"],
])("a complaint is read (%#)", async (body, feedbackType) => {
  const event = await readOne(body);
  expect(event).toMatchObject({ kind: "complained", complaint: { feedbackType, candidates: 1 } });
  expect(event).not.toHaveProperty("bounce");
});

test("a delivery is read, under a key that holds no address", async () => {
  const event = await readOne(DELIVERY);
  expect(event).toMatchObject({
    kind: "delivered",
    occurredAt: "2025-11-24T16:33:54.000Z",
    recipient: "lin@example.com",
    mail: { providerId: MESSAGE_ID, reportToken: TOKEN },
    diagnostic: "smtp;250 2.0.0 OK",
  });
  expect(event?.key).not.toContain("lin");
});

test("a call that comes again has the same key, another recipient's delivery another", async () => {
  const keys = [DELIVERY, DELIVERY, { ...DELIVERY, Recipient: "ada@example.com" }].map((body) =>
    verify(body),
  );
  const [first, again, other] = (await Promise.all(keys)).map((report) => report?.key);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test.each([
  { RecordType: "Open", Recipient: "lin@example.com", UserAgent: "MARKER" },
  { RecordType: "Click", Recipient: "lin@example.com", OriginalLink: "MARKER" },
  { RecordType: "SubscriptionChange", Recipient: "lin@example.com", SuppressSending: true },
  { RecordType: "OfTomorrow" },
  ...[
    "Subscribe",
    "AutoResponder",
    "AddressChange",
    "OpenRelayTest",
    "ChallengeVerification",
    "InboundError",
  ].map((Type) => ({ ...BOUNCE, Type })),
])("nothing is kept of $RecordType $Type", async (body) => {
  expect(await verify(body)).toBeUndefined();
});

test.each([
  [undefined],
  [null],
  [[]],
  [{}],
  [{ "foyer-id": [TOKEN] }],
  [{ "foyer-id": "of-another-program" }],
])("metadata %j name no mail of ours and refuse no report", async (Metadata) => {
  expect((await readOne({ ...BOUNCE, Metadata }))?.mail).toEqual({
    providerId: MESSAGE_ID,
    reportToken: undefined,
  });
});

test.each([BOUNCE, COMPLAINT, DELIVERY])("no subject and no content is kept of $RecordType", async (body) => {
  const report = await verify({ ...body, Details: `${body.Details} "483920 is your code"` });
  expect(JSON.stringify(report?.content)).not.toMatch(/MARKER|483920|site@example\.org/);
});

test("the dump of a large mail is no hindrance", async () => {
  expect(await verify({ ...BOUNCE, Content: "x".repeat(300_000) })).toBeDefined();
});

test.each([
  ["", "password"],
  ["user", ""],
  ["us:er", "password"],
])("the user %j with the password %j is refused", (user, password) => {
  expect(() => createPostmarkSource({ user, password })).toThrow("needs a user");
});
