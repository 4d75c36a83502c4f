import { describe, expect, test } from "@jest/globals";
import { classifyFailure, cleanDiagnostic, type Failure, findStatusCode } from "./diagnostics.ts";

describe("diagnostics", () => {
  const toVerdict = (failure: Failure) => {
    const { type, subtype, isCertain } = classifyFailure(failure);
    return `${type}/${subtype}${isCertain ? "" : "?"}`;
  };

  describe("the code decides", () => {
    test.each([
      ["5.1.1", "Permanent/NoEmail"],
      ["5.1.1 (no such mailbox)", "Permanent/NoEmail"],
      ["5.1.2", "Permanent/General"],
      ["5.1.6", "Permanent/General"],
      ["5.1.10", "Permanent/General"],
      ["5.2.1", "Permanent/General"],
      ["5.4.4", "Permanent/General"],
      ["5.1.0", "Permanent/General?"],
      ["5.1.3", "Permanent/General?"],
      ["5.1.7", "Transient/General"],
      ["5.1.8", "Transient/General"],
      ["5.2.2", "Transient/MailboxFull"],
      ["4.2.2", "Transient/MailboxFull"],
      ["5.2.3", "Transient/MessageTooLarge"],
      ["5.3.4", "Transient/MessageTooLarge"],
      ["5.6.1", "Transient/ContentRejected"],
      ["5.7.1", "Transient/General"],
      ["5.3.0", "Transient/General"],
      ["5.4.1", "Transient/General"],
      ["5.5.2", "Transient/General"],
      ["4.4.1", "Transient/General"],
      ["4.1.1", "Transient/General"],
      ["5.0.0", "Undetermined/General"],
      ["5.2.0", "Undetermined/General"],
      ["2.0.0", "Undetermined/General"],
      ["nonsense", "Undetermined/General"],
    ])("%s is %s", (statusCode, verdict) => {
      expect(toVerdict({ statusCode })).toBe(verdict);
    });

    test("a null MX is the domain's own word", () => {
      const diagnostic = "X-Postfix; Domain nullmx.example does not accept mail (nullMX)";
      expect(toVerdict({ statusCode: "5.1.0", diagnostic })).toBe("Permanent/General");
    });
  });

  describe("where the code says nothing, the words do", () => {
    test.each([
      ["Unrouteable address", "Permanent/General"],
      ["550 No such user here", "Permanent/General"],
      ["550-5.1.1 The account that you tried to reach does not exist", "Permanent/NoEmail"],
      ["retry timeout exceeded", "Undetermined/General"],
      ["all hosts have been failing for a long time", "Undetermined/General"],
    ])("5.0.0 with %j is %s", (text, verdict) => {
      expect(toVerdict({ statusCode: "5.0.0", text })).toBe(verdict);
      expect(toVerdict({ statusCode: "5.0.0", diagnostic: text })).toBe(verdict);
    });

    test.each([
      ["550 user unknown", "Permanent/General?"],
      ["550 5.5.0 Requested action not taken: invalid mailbox", "Permanent/General?"],
      ["450 try again later, user unknown", "Transient/General"],
      ["550 no", "Undetermined/General"],
      ["550 5.1.1 User unknown in relay recipient table", "Permanent/NoEmail"],
    ])("without a code of its own %j is %s", (diagnostic, verdict) => {
      expect(toVerdict({ diagnostic })).toBe(verdict);
    });

    test("what only says for now is not made worse by its text", () => {
      expect(toVerdict({ statusCode: "4.0.0", text: "550 5.1.1 user unknown" })).toBe("Transient/General");
    });
  });

  describe("a refusal of us never condemns the address", () => {
    test.each([
      "554 5.7.1 <nobody@example.net>: Relay access denied",
      "550 relaying denied",
      "550 5.1.1 relay not permitted",
      "550 5.7.1 Unable to relay",
      "554 Message rejected: Email address is not verified. The following identities failed the check",
      "454 Throttling failure: Daily message quota exceeded.",
      "554 Sending quota exceeded",
      "530 5.7.0 Authentication required",
      "550 5.1.1 Sender address rejected: user unknown",
      "550 5.1.1 user unknown; client host blocked using zen.spamhaus.org",
      "550 5.7.26 This mail has been blocked because the sender is unauthenticated, DMARC fails",
      "550 5.7.1 user unknown",
      "5.7.509 Access denied",
    ])("%s", (diagnostic) => {
      for (const statusCode of [undefined, "5.0.0", "5.1.1", "5.4.4", "5.7.1"])
        expect(classifyFailure({ statusCode, diagnostic }).type).not.toBe("Permanent");
    });

    test("at the end of the message it is the content, at the address it is us", () => {
      const statusCode = "5.7.1";
      expect(classifyFailure({ statusCode, diagnostic: "550 5.7.1 rejected as spam" })).toMatchObject({
        subtype: "ContentRejected",
        isOurReputation: false,
      });
      const text = "host said: 550 5.7.1 rejected (in reply to end of DATA command)";
      expect(classifyFailure({ statusCode, text }).subtype).toBe("ContentRejected");
      expect(
        classifyFailure({ statusCode, text: "550 5.7.1 spam source (in reply to RCPT TO command)" }),
      ).toMatchObject({ subtype: "General", isOurReputation: true });
    });

    test("an address that is called like a rule is no rule", () => {
      const diagnostic = "550 5.1.1 <dmarc@sandbox.example>: Recipient address rejected: User unknown";
      expect(toVerdict({ statusCode: "5.1.1", diagnostic })).toBe("Permanent/NoEmail");
    });
  });

  test("neither versions nor addresses of networks are codes", () => {
    const text = "host mx [5.1.1.1] runs Exim 4.96.2 and 5.1.1, said: 550 no";
    expect(findStatusCode({ statusCode: "5.0.0", text })).toBe("5.0.0");
    expect(findStatusCode({ text })).toBeUndefined();
  });
});

describe("clean text", () => {
  test.each([
    ["rejected: 123456 is your code for Foyer", "rejected: •••••• is your code for Foyer"],
    ["Subject:123456, then 654321.", "Subject:••••••, then ••••••."],
    ["_123456_ and code123456", "_••••••_ and code••••••"],
    ["123\u200b456 is your code", "•••••• is your code"],
    ["=?UTF-8?Q?123456_is_your_code?= refused", "•••••• refused"],
    ["=?utf-8?B?MTIzNDU2IGlzIHlvdXIgY29kZQ==?=", "••••••"],
  ])("a code in “%s” is masked", (text, expected) => {
    expect(cleanDiagnostic(text)).toBe(expected);
  });

  test.each(["12345 and 1234567", "550 5.1.1 user unknown", "250 2.0.0 Ok: queued as 4WxK2h3Zz9"])(
    "“%s” has no code and stays",
    (text) => expect(cleanDiagnostic(text)).toBe(text),
  );

  test("a folded answer becomes one line without control characters", () => {
    expect(cleanDiagnostic("  550-5.1.1 no\r\n\t550 such\u0000 user\u202e ")).toBe(
      "550-5.1.1 no 550 such user",
    );
  });

  test("a long answer is cut, never within a code or a character", () => {
    expect(cleanDiagnostic("x".repeat(300_000))).toHaveLength(500);
    expect(cleanDiagnostic(`${"x".repeat(494)} 123456`)).toBe(`${"x".repeat(494)} ••••…`);
    expect(cleanDiagnostic("😀".repeat(400)).isWellFormed()).toBe(true);
    expect(cleanDiagnostic("\ud83d alone").isWellFormed()).toBe(true);
  });

  test("cleaning twice is cleaning once", () => {
    const once = cleanDiagnostic(`550 =?UTF-8?Q?a?= 123456 ${"y ".repeat(400)}`);
    expect(cleanDiagnostic(once)).toBe(once);
  });
});
