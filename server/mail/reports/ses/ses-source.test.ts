import { describe, expect, test } from "@jest/globals";
import { createSesSource } from "./ses-source.ts";
import {
  createCertificateHost,
  createTestSource,
  getOwnCertificate,
  NOW,
  readEnvelope,
  readMailFile,
  sign,
  signNotification,
  TOPIC,
  toBody,
} from "./test-sns.ts";

const { source, requests } = createTestSource();
const own = createTestSource(getOwnCertificate().pem);

describe("a confirmation", () => {
  test.each([
    ["subscription-confirmation-v1", "SubscriptionConfirmation"],
    ["subscription-confirmation-v2", "SubscriptionConfirmation"],
    ["unsubscribe-confirmation-v2", "UnsubscribeConfirmation"],
  ])("%s is shown to staff with its link, which nobody opens", async (file, type) => {
    const envelope = readEnvelope(`sns/${file}.json`);
    const report = await source.verify(readMailFile(`sns/${file}.json`), {});
    expect(report).toEqual({
      key: envelope.MessageId,
      content: { confirmation: type, topic: TOPIC },
      confirmation: { url: envelope.SubscribeURL, topic: TOPIC },
    });
    expect(requests.every(({ address }) => address.endsWith(".pem"))).toBe(true);
  });

  test("keeps its token out of what is stored, and has no events", async () => {
    const report = await source.verify(readMailFile("sns/subscription-confirmation-v2.json"), {});
    expect(JSON.stringify(report?.content)).not.toContain("2336412f");
    expect(source.read(report?.content)).toEqual([]);
  });

  const confirmation = readEnvelope("sns/subscription-confirmation-v2.json");
  const verifyLink = (link: string) =>
    own.source.verify(toBody(sign({ ...confirmation, SubscribeURL: link })), {});

  test.each([
    "http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription",
    "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription",
    "https://sns.eu-central-1.amazonaws.com:8443/?Action=ConfirmSubscription",
    "https://sns.eu-central-1.amazonaws.com:443/?Action=ConfirmSubscription",
    "https://user@sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription",
    "https://sns.eu-central-1.amazonaws.com@evil.example/",
    "https://sns.eu-central-1.amazonaws.com.evil.example/",
    "https://sns.eu-central-1.amazonaws.com\\@evil.example/",
    "https://169.254.169.254/latest/meta-data/",
    "https://sns.eu-central-1.amazonaws.com/\t?Action=ConfirmSubscription",
    "javascript:alert(1)",
    "",
  ])("whose link is “%s” is refused, signed as it is", async (link) => {
    await expect(verifyLink(link)).rejects.toMatchObject({ status: 403 });
  });

  test.each(["com", "com.cn"])("may lead to Amazon's hosts in .%s", async (end) => {
    const link = `https://sns.eu-central-1.amazonaws.${end}/?Action=ConfirmSubscription`;
    expect((await verifyLink(link))?.confirmation).toEqual({ url: link, topic: TOPIC });
  });
});

describe("what is not kept", () => {
  test.each([
    "Successfully validated SNS topic for Amazon SES event publishing.",
    { notificationType: "AmazonSnsSubscriptionSucceeded", message: "You have …" },
    { eventType: "Open", open: {} },
    { eventType: "Click", click: {} },
    { eventType: "Subscription", subscription: {} },
    { eventType: "SomethingNew" },
  ])("%j is nothing, once it is proven", async (message) => {
    expect(await own.source.verify(signNotification(message), {})).toBeUndefined();
  });

  test("is refused all the same where it isn't proven", async () => {
    await expect(source.verify(signNotification({ eventType: "Open" }), {})).rejects.toMatchObject({
      status: 403,
    });
  });
});

test.each(["not an event", "[]", "null", "{}", '{"eventType":["Bounce"]}', '{"eventType":"Bounce"'])(
  "%s is stored unread, so that staff see that something is wrong",
  async (message) => {
    const report = await own.source.verify(signNotification(message), {});
    expect(report?.content).toEqual({
      unreadable: expect.stringContaining(`(${message.length} characters)`),
    });
    expect(() => own.source.read(report?.content)).toThrow("is not an event of Amazon SES");
  },
);

describe("time", () => {
  const MINUTE_MS = 60_000;
  const verifyAt = (offsetMs: number) =>
    createTestSource(undefined, new Date(NOW.getTime() + offsetMs)).source.verify(
      readMailFile("sns/send.json"),
      {},
    );

  test.each([60 * MINUTE_MS, 0, -5 * MINUTE_MS])("a message that is %d ms old is taken", async (ageMs) => {
    expect((await verifyAt(ageMs))?.key).toBe("cccf89fd-e6df-5bbd-837d-39e7314cefa2");
  });

  test.each([60 * MINUTE_MS + 1, -5 * MINUTE_MS - 1])("one that is %d ms old is refused", async (ageMs) => {
    await expect(verifyAt(ageMs)).rejects.toMatchObject({ status: 403 });
  });
});

test.each(["1", "2"])(
  "signature version %s is proven, with and without a subject",
  async (SignatureVersion) => {
    const { Subject, ...plain } = readEnvelope("sns/send.json");
    for (const envelope of [plain, { ...plain, Subject }]) {
      const report = await own.source.verify(toBody(sign({ ...envelope, SignatureVersion })), {});
      expect(own.source.read(report?.content)).toMatchObject([{ kind: "sent" }]);
    }
  },
);

test("without a topic of one's own everything is refused", async () => {
  const host = createCertificateHost(() => new Response(getOwnCertificate().pem));
  const deaf = createSesSource({ topics: [], fetch: host.fetch, now: () => NOW });
  await expect(deaf.verify(readMailFile("sns/send.json"), {})).rejects.toMatchObject({ status: 403 });
  expect(host.requests).toEqual([]);
});

test("while Amazon can't be reached a report is not refused, so that it comes again", async () => {
  const host = createCertificateHost(() => Promise.reject(new TypeError("fetch failed")));
  const cutOff = createSesSource({ topics: [TOPIC], fetch: host.fetch, now: () => NOW });
  await expect(cutOff.verify(readMailFile("sns/send.json"), {})).rejects.toMatchObject({
    code: "unavailable",
  });
});
