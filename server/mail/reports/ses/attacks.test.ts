import { describe, expect, test } from "@jest/globals";
import addresses from "#test/mail/attacks/signing-cert-urls.json" with { type: "json" };
import outcomes from "#test/mail/attacks/sns-expected.json" with { type: "json" };
import { isCertificateAddress } from "./sns.ts";
import {
  CERTIFICATE_ADDRESS,
  createTestSource,
  getOwnCertificate,
  listMailFiles,
  readEnvelope,
  readMailFile,
  sign,
  TOPIC,
  toBody,
} from "./test-sns.ts";

const BOUNCE = "sns/bounce-permanent-noemail.json";

/** What becomes of a body: the status that refuses it, or 200. */
async function post(body: Buffer, { source, requests } = createTestSource()) {
  const [outcome] = await Promise.allSettled([source.verify(body, {})]);
  const status = outcome.status === "fulfilled" ? 200 : outcome.reason.status;
  return {
    status,
    report: outcome.status === "fulfilled" ? outcome.value : undefined,
    requests: requests.length,
  };
}

const isOfRoute = (outcome: string) => outcome.startsWith("413");
const attacks = Object.entries(outcomes).filter(([file]) => file.startsWith("sns-"));

test("every attack of the folder has its outcome written down", () => {
  expect(attacks.map(([file]) => file).sort()).toEqual(
    listMailFiles("attacks").filter((file) => /^sns-\d/.test(file)),
  );
});

test.each(attacks.filter(([, outcome]) => !isOfRoute(outcome)))("%s: %s", async (file, outcome) => {
  const { status, report } = await post(readMailFile(`attacks/${file}`));
  expect(status).toBe(Number(/\b\d{3}\b/.exec(outcome)?.[0]));
  expect(report === undefined).toBe(status !== 200);
});

test.each([
  "03-foreign-topic-validly-signed",
  "04-foreign-topic-subscription-confirmation",
  "06-stale-timestamp",
  "07-signature-version-3",
  "10-raw-delivery-no-envelope",
])("sns-%s causes no request of ours", async (name) => {
  expect(await post(readMailFile(`attacks/sns-${name}.json`))).toMatchObject({ requests: 0 });
});

test("a message that comes twice has the same key and content", async () => {
  const [first, second] = await Promise.all([
    post(readMailFile(BOUNCE)),
    post(readMailFile("attacks/sns-09-duplicate-delivery.json")),
  ]);
  expect(second.report).toEqual(first.report);
  expect(first.report?.key).toBe("717bace4-2672-5529-8fa0-e5d7d97d8703");
});

test("a signed text that is no event is stored without its words and can't be read", async () => {
  const { report } = await post(readMailFile("attacks/sns-11-message-not-json.json"));
  expect(JSON.stringify(report)).not.toContain("Bounce");
  expect(() => createTestSource().source.read(report?.content)).toThrow("(21 characters) is not an event");
});

test("10,000 recipients below the route's limit would be stored, and not be read", async () => {
  const { report } = await post(readMailFile("attacks/sns-13-10000-recipients.json"));
  expect(() => createTestSource().source.read(report?.content)).toThrow(
    "The event names 10000 recipients; at most 100 are read.",
  );
});

test("a bounce of a mail that we never sent names no mail by our own secret", async () => {
  const { report } = await post(readMailFile("attacks/sns-14-unknown-messageid.json"));
  expect(createTestSource().source.read(report?.content)).toMatchObject([
    { recipient: "victim@example.com", mail: { providerId: "0107019a-never-sent-by-us-000000" } },
  ]);
  expect(JSON.stringify(report)).not.toContain("X-Foyer-Message-Id");
});

describe("a certificate's address", () => {
  const regions = ["eu-central-1", "us-east-1", "us-gov-west-1"].map(
    (region) => `arn:aws:sns:${region}:123456789012:mail`,
  );
  const topics = [TOPIC, ...regions, "arn:aws-cn:sns:cn-north-1:123456789012:mail"];

  test.each(addresses.accept)("%s is good for topics of its region alone", (address) => {
    const [region = ""] = /(?<=sns\.)[a-z0-9-]+/.exec(address) ?? [];
    const good = topics.filter((topic) => isCertificateAddress(address, topic));
    expect(good).toEqual(topics.filter((topic) => topic.includes(`:${region}:`)));
    expect(good).not.toHaveLength(0);
  });

  test.each([
    ...addresses.reject,
    `${CERTIFICATE_ADDRESS}\n`,
    ` ${CERTIFICATE_ADDRESS}`,
    CERTIFICATE_ADDRESS.replace("https", "HTTPS"),
    CERTIFICATE_ADDRESS.replace("eu-central-1", "s3"),
    CERTIFICATE_ADDRESS.replace(".com", ".com.cn"),
    CERTIFICATE_ADDRESS.replace("https://", "https://user:password@"),
    CERTIFICATE_ADDRESS.replace(".com/", ".com:443/"),
    "",
  ])("%j is refused and never fetched", async (address) => {
    expect(topics.filter((topic) => isCertificateAddress(address, topic))).toEqual([]);
    const body = toBody({ ...readEnvelope(BOUNCE), SigningCertURL: address });
    const { status, requests } = await post(body);
    expect(status).toBe(address.endsWith("\n") ? 400 : 403);
    expect(requests).toBe(0);
  });
});

describe("a message that isn't what SNS sends is malformed, and causes no request", () => {
  const envelope = readEnvelope(BOUNCE);
  const names = [
    "Type",
    "MessageId",
    "TopicArn",
    "Message",
    "Timestamp",
    "SignatureVersion",
    "Signature",
    "SigningCertURL",
  ];
  const changes = names.flatMap((name) =>
    [[envelope[name]], { toString: "x" }, 1, null, undefined].map((value) => ({ [name]: value })),
  );
  const others = [
    { Subject: ["x"] },
    { Type: "SubscriptionConfirmation" },
    { Type: "toString" },
    { Type: "__proto__" },
    { MessageId: "a\nb" },
    { MessageId: "" },
    { Timestamp: "today" },
    { Timestamp: "2026-13-40T00:00:00.000Z" },
  ];

  test.each([...changes, ...others])("%j", async (change) => {
    expect(await post(toBody({ ...envelope, ...change }))).toMatchObject({ status: 400, requests: 0 });
  });

  test.each(["", "{", "null", "[]", "1", '"text"', "{}", "[".repeat(100_000), '{"Type":"Notification"}'])(
    "%.20s",
    async (text) => {
      expect(await post(Buffer.from(text))).toMatchObject({ status: 400, requests: 0 });
    },
  );

  test("its reason names the fields and none of their values", async () => {
    const { source } = createTestSource();
    const body = toBody({ ...envelope, Type: "123456 is your code" });
    await expect(source.verify(body, {})).rejects.toThrow("It is not a message of SNS (Type).");
    await expect(source.verify(Buffer.from("123456 is your code"), {})).rejects.toThrow(
      "It is not JSON in UTF-8.",
    );
  });
});

describe("a changed message is refused", () => {
  const envelope = readEnvelope(BOUNCE);
  const confirmation = readEnvelope("sns/subscription-confirmation-v2.json");
  test.each([
    ["its text", { ...envelope, Message: '{"eventType":"Send"}' }],
    ["its id", { ...envelope, MessageId: "another" }],
    ["its time", { ...envelope, Timestamp: "2026-11-20T12:00:01.000Z" }],
    ["its subject", { ...envelope, Subject: "another" }],
    ["no subject", { ...envelope, Subject: undefined }],
    ["the other algorithm", { ...envelope, SignatureVersion: "1" }],
    ["no signature", { ...envelope, Signature: "" }],
    ["a signature that is not base64", { ...envelope, Signature: "%%%" }],
    [
      "a link in a notification's place",
      {
        ...envelope,
        Type: "SubscriptionConfirmation",
        Token: "t",
        SubscribeURL: "https://sns.eu-central-1.amazonaws.com/",
      },
    ],
    ["a notification in a confirmation's place", { ...confirmation, Type: "Notification" }],
    ["one confirmation for the other", { ...confirmation, Type: "UnsubscribeConfirmation" }],
    ["another link", { ...confirmation, SubscribeURL: "http://169.254.169.254/" }],
  ])("%s", async (_what, changed) => {
    expect(await post(toBody(changed))).toMatchObject({ status: 403 });
  });
});

test("what another key signed is refused", async () => {
  expect(await post(toBody(sign(readEnvelope(BOUNCE))))).toMatchObject({ status: 403, requests: 1 });
  expect(await post(readMailFile(BOUNCE), createTestSource(getOwnCertificate().pem))).toMatchObject({
    status: 403,
  });
});

test("a stranger's topic of the same region is refused before any request, however well it is signed", async () => {
  const site = createTestSource(getOwnCertificate().pem);
  const strangers = { ...readEnvelope(BOUNCE), TopicArn: TOPIC.replace("123456789012", "999999999999") };
  expect(await post(toBody(sign(strangers)), site)).toMatchObject({ status: 403, requests: 0 });
  expect(await post(toBody(sign(readEnvelope(BOUNCE))), site)).toMatchObject({ status: 200, requests: 1 });
});

test("of a hundred copies that come at once all are proven, with one request for the certificate", async () => {
  const site = createTestSource();
  const posts = Array.from({ length: 100 }, () => post(readMailFile(BOUNCE), site));
  const keys = (await Promise.all(posts)).map(({ report }) => report?.key);
  expect(new Set(keys)).toEqual(new Set(["717bace4-2672-5529-8fa0-e5d7d97d8703"]));
  expect(site.requests.map(({ address }) => address)).toEqual([CERTIFICATE_ADDRESS]);
});
