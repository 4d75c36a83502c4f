import { describe, expect, test } from "@jest/globals";
import type { ReportedEvent } from "../report-source.ts";
import { scrubSesMessage } from "./ses-event.ts";
import { createSesSource, MAX_RECIPIENTS, readSes } from "./ses-source.ts";
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

describe("read ses", () => {
  const PROVIDER_ID = "0107019a-example-0001-000000";
  const TOKEN = "feedfacecafe0badc0dedeaf";

  /** The message of a file of `test/mail/sns`, parsed, to be changed. */
  const readMessage = (file: string) => JSON.parse(String(readEnvelope(`sns/${file}.json`).Message));

  /** The way that a message takes: scrubbed, stored, read. */
  function read(message: object): readonly ReportedEvent[] {
    return readSes(
      JSON.parse(JSON.stringify(scrubSesMessage(JSON.stringify(message)) ?? { confirmation: "" })),
    );
  }

  const mail = {
    timestamp: "2026-11-20T11:59:00.000Z",
    messageId: PROVIDER_ID,
    destination: ["ok@example.net"],
    headers: [
      { name: "Subject", value: "123456 is your code" },
      { name: "x-foyer-message-ID", value: TOKEN },
      { name: "MESSAGE-ID", value: "<m@site.test>" },
    ],
  };

  test("a bounce has type, code, answer and server of each recipient", () => {
    expect(read(readMessage("bounce-permanent-general"))).toEqual([
      {
        kind: "bounced",
        key: "0107019a-feedback-0002-000000",
        occurredAt: "2026-11-20T11:59:30.000Z",
        recipient: "gone@example.net",
        mail: { reportToken: undefined, providerId: PROVIDER_ID, messageId: undefined },
        bounce: { type: "Permanent", subtype: "General" },
        statusCode: "5.1.1",
        diagnostic: "smtp; 550 5.1.1 user unknown",
        feedbackId: "0107019a-feedback-0002-000000",
        reportingServer: "b224-17.smtp-out.eu-central-1.amazonses.com",
      },
    ]);
  });

  test("a bounce without a returned mail has its recipients", () => {
    const events = read(readMessage("bounce-multi-recipient-no-dsn"));
    expect(
      events.map(({ recipient, statusCode, diagnostic }) => [recipient, statusCode, diagnostic]),
    ).toEqual([
      ["jane@example.net", undefined, undefined],
      ["richard@example.net", undefined, undefined],
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(1);
  });

  test("the identity's dialect gives the same events as the configuration set's, so that both count once", () => {
    expect(read(readMessage("legacy-bounce-notificationType"))).toEqual(
      read(readMessage("bounce-permanent-noemail")),
    );
    const { eventType, ...delivery } = readMessage("delivery");
    expect(read({ ...delivery, notificationType: eventType })).toEqual(read(readMessage("delivery")));
  });

  test("a complaint has its type in lower case, who reports it, and of how many it may be", () => {
    const message = readMessage("complaint-abuse");
    message.complaint.complaintFeedbackType = "ABUSE";
    message.complaint.complainedRecipients.push({ emailAddress: "other@example.net" });
    const complaint = { feedbackType: "abuse", userAgent: "ExampleFBL/1.0", candidates: 2 };
    expect(read(message)).toMatchObject([
      {
        kind: "complained",
        recipient: "ok@example.net",
        feedbackId: "0107019a-feedback-0021-000000",
        complaint,
      },
      { kind: "complained", recipient: "other@example.net", key: "0107019a-feedback-0021-000000", complaint },
    ]);
  });

  test("a complaint without a report has no type and no reporter", () => {
    expect(read(readMessage("complaint-no-feedback-report"))).toMatchObject([
      { complaint: { feedbackType: null, userAgent: null, candidates: 1 } },
    ]);
  });

  test("a report about a signature check is no complaint", () => {
    const message = readMessage("complaint-abuse");
    message.complaint.complaintFeedbackType = "auth-failure";
    expect(read(message)).toEqual([]);
  });

  test("what SES stopped by its own list is no abuse, even if it says so", () => {
    const message = readMessage("complaint-onaccountsuppressionlist");
    message.complaint.complaintFeedbackType = "abuse";
    expect(read(message)).toMatchObject([{ complaint: { feedbackType: "onaccountsuppressionlist" } }]);
  });

  test("news without an id of its own is reported once for each mail", () => {
    const delay = {
      eventType: "DeliveryDelay",
      mail,
      deliveryDelay: {
        timestamp: "2026-11-20T11:59:00.000+02:00",
        delayType: "MailboxFull",
        delayedRecipients: [
          { emailAddress: "a@example.net", status: "4.2.2", diagnosticCode: "smtp; 452 4.2.2 full" },
          { emailAddress: "b@example.net" },
        ],
      },
    };
    const summaries = ["send", "delivery", "reject", "rendering-failure"].map((file) =>
      read(readMessage(file)),
    );
    expect([...summaries, read(delay)].flat()).toMatchObject([
      {
        kind: "sent",
        key: `${PROVIDER_ID} send`,
        recipient: "ok@example.net",
        occurredAt: "2026-11-20T11:59:00.000Z",
      },
      { kind: "delivered", key: `${PROVIDER_ID} delivery`, diagnostic: "250 2.0.0 Ok: queued" },
      { kind: "rejected", key: `${PROVIDER_ID} reject`, diagnostic: "Bad content" },
      {
        kind: "failed",
        key: `${PROVIDER_ID} failure`,
        diagnostic: expect.stringContaining("Attribute 'code'"),
      },
      {
        kind: "delayed",
        key: `${PROVIDER_ID} delay`,
        statusCode: "4.2.2",
        diagnostic: "smtp; 452 4.2.2 full",
      },
      {
        kind: "delayed",
        recipient: "b@example.net",
        diagnostic: "MailboxFull",
        occurredAt: "2026-11-20T09:59:00.000Z",
      },
    ]);
  });

  describe("a mail is found by", () => {
    test("our secret, SES's id and our Message-ID, however the headers are written", () => {
      expect(read({ eventType: "Send", mail })[0]?.mail).toEqual({
        reportToken: TOKEN,
        providerId: PROVIDER_ID,
        messageId: "<m@site.test>",
      });
    });

    test.each(["0123456789ab", `${TOKEN}0`, TOKEN.toUpperCase(), `${TOKEN} 123456`, [TOKEN]])(
      "no secret of another shape: %j",
      (value) => {
        const headers = [{ name: "X-Foyer-Message-Id", value }];
        expect(read({ eventType: "Send", mail: { ...mail, headers } })[0]?.mail.reportToken).toBeUndefined();
      },
    );

    test("what stands in headers, not in their summary", () => {
      const summary = { ...mail, headers: [], commonHeaders: { messageId: "<m@site.test>" } };
      expect(read({ eventType: "Send", mail: summary })[0]?.mail.messageId).toBeUndefined();
    });
  });

  test("only what is on the list is stored, and a code that a server quotes isn't", () => {
    const message = readMessage("bounce-permanent-general");
    message.mail = { ...mail, tags: { a: ["123456"] }, commonHeaders: { subject: "123456 is your code" } };
    message.bounce.bouncedRecipients[0].diagnosticCode = "550 rejected:\r\n 123456 is your code\u0000";
    message.bounce.novelty = { subject: "123456" };
    message.complaint = { userAgent: "123456 is your code" };
    const stored = JSON.stringify(scrubSesMessage(JSON.stringify(message)));
    expect(stored).not.toMatch(/123456|subject|tags|novelty|\\u0000/i);
    expect(stored).toContain("550 rejected: •••••• is your code");
  });

  test("fields of another shape are left out, so that nothing but text of a sane length is stored", () => {
    const message = readMessage("bounce-permanent-general");
    message.bounce.timestamp = "yesterday";
    message.bounce.bounceSubType = ["General"];
    message.bounce.feedbackId = "a\u0000b";
    message.bounce.reportingMTA = "x".repeat(321);
    message.bounce.bouncedRecipients = [
      { emailAddress: { toString: "x" }, status: "5.1.1; DROP", diagnosticCode: 1 },
      { emailAddress: "a\ud800@example.net", status: " 5.2.1 " },
    ];
    const shared = {
      key: `${PROVIDER_ID} bounce`,
      occurredAt: null,
      recipient: null,
      bounce: { type: "Permanent", subtype: "Undetermined" },
      feedbackId: undefined,
      reportingServer: undefined,
    };
    expect(read(message)).toMatchObject([shared, { ...shared, statusCode: "5.2.1" }]);
  });

  test("a type of bounce that SES may add one day is not taken for final", () => {
    const message = readMessage("bounce-permanent-general");
    message.bounce.bounceType = "Eternal";
    expect(read(message)).toMatchObject([{ bounce: { type: "Undetermined", subtype: "General" } }]);
  });

  describe("an event is not guessed at:", () => {
    test.each([
      ["no part", { eventType: "Bounce", mail }, "no “bounce”"],
      ["a part of another shape", { eventType: "Complaint", mail, complaint: [] }, "no “complaint”"],
      ["no mail", { eventType: "Send" }, "no “mail”"],
      ["no id of the mail", { eventType: "Send", mail: { ...mail, messageId: 1 } }, "no “mail.messageId”"],
      ["nobody", { eventType: "Send", mail: { ...mail, destination: [] } }, "names no recipient"],
      [
        "no list",
        { eventType: "Delivery", mail, delivery: { recipients: "a@example.net" } },
        "names no recipient",
      ],
    ])("%s", (_what, message, reason) => {
      expect(() => read(message)).toThrow(reason);
    });

    test("as many recipients as the cap are read, one more is not", () => {
      const send = (count: number) => ({
        eventType: "Send",
        mail: { ...mail, destination: Array.from({ length: count }, (_, n) => `u${n}@example.net`) },
      });
      expect(read(send(MAX_RECIPIENTS))).toHaveLength(MAX_RECIPIENTS);
      expect(() => read(send(MAX_RECIPIENTS + 1))).toThrow("names 101 recipients; at most 100 are read");
    });

    test.each([null, [], {}, "text", { event: 1 }])("stored content that isn't ours: %j", (content) => {
      expect(() => readSes(content)).toThrow();
    });

    test("stored content of a type that isn't read", () => {
      expect(() => readSes({ event: { eventType: "Open", mail } })).toThrow("“Open” is not an event");
    });
  });
});

describe("ses source", () => {
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
});
