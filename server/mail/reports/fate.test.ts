import { describe, expect, test } from "@jest/globals";
import { ADDRESS_CODES } from "../diagnostics.ts";
import { toVerdict } from "./fate.ts";
import type { BounceDetails, ReportedEvent, ReportedKind } from "./report-source.ts";

function event(kind: ReportedKind, details: Partial<ReportedEvent> = {}): ReportedEvent {
  return { kind, key: "k", occurredAt: null, recipient: "a@example.net", mail: {}, ...details };
}

const bounced = (type: BounceDetails["type"], subtype: string, statusCode?: string, diagnostic?: string) =>
  toVerdict(event("bounced", { bounce: { type, subtype }, statusCode, diagnostic }));

const complained = (feedbackType: string | null, candidates = 1) =>
  toVerdict(event("complained", { complaint: { feedbackType, userAgent: null, candidates } }));

describe("a permanent bounce", () => {
  test.each([...ADDRESS_CODES])("with %s stops all mail, because the address takes none", (code) => {
    expect(bounced("Permanent", "General", code)).toBe("all");
  });

  test("of no mailbox stops all mail without a code too", () => {
    expect(bounced("Permanent", "NoEmail")).toBe("all");
  });

  test("with 5.1.0 stops all mail only where the domain says that it takes none", () => {
    expect(bounced("Permanent", "General", "5.1.0", "Domain x.example does not accept mail (nullMX)")).toBe(
      "all",
    );
    expect(bounced("Permanent", "General", "5.1.0", "Address rejected")).toBe("ask");
  });

  test.each([
    ["General", undefined],
    ["General", "5.0.0"],
    ["General", "5.7.1"],
    ["Suppressed", "5.1.1"],
    ["OnAccountSuppressionList", "5.1.1"],
  ])("%s with %s is a question to staff", (subtype, code) => {
    expect(bounced("Permanent", subtype, code)).toBe("ask");
  });
});

test.each(["Transient", "Undetermined"] as const)(
  "a bounce of type %s stops nothing, whatever its code",
  (type) => {
    expect(bounced(type, "General", "5.1.1")).toBe("none");
  },
);

describe("a complaint", () => {
  test.each([null, "abuse", "fraud", "opt-out"])("of type %s stops what a person can do without", (type) => {
    expect(complained(type)).toBe("optional");
  });

  test.each(["virus", "other", "not-spam", "auth-failure", "onaccountsuppressionlist", "new-type", ""])(
    "of type “%s” stops nothing",
    (type) => expect(complained(type)).toBe("none"),
  );

  test("that may be of several people stops nobody's mail", () => {
    expect(complained("abuse", 2)).toBe("none");
  });
});

test.each(["sent", "delayed", "delivered", "rejected", "failed"] as const)(
  "a mail that was %s condemns no address, even with a code of the table",
  (kind) => {
    const bounce: BounceDetails = { type: "Permanent", subtype: "NoEmail" };
    expect(toVerdict(event(kind, { bounce, statusCode: "5.1.1" }))).toBe("none");
  },
);

test("a bounce without details stops nothing", () => {
  expect(toVerdict(event("bounced"))).toBe("none");
});
