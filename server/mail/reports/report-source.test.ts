import { expect, test } from "@jest/globals";
import { findStatusCode, toBounceDetails } from "./report-source.ts";

test.each<[string, string | undefined]>([
  ["smtp;550 5.1.1 The account does not exist", "5.1.1"],
  ["550-5.1.10: no such user.", "5.1.10"],
  ["mailbox full (4.2.2).", "4.2.2"],
  ["host 5.1.1.4 refused", undefined],
  ["relay 10.5.1.1 refused", undefined],
  ["250 2.0.0 OK", undefined],
  ["No Such User Here", undefined],
])("%j has the code %j", (text, code) => {
  expect(findStatusCode(text)).toBe(code);
});

test("the first text that has a code gives it", () => {
  expect(findStatusCode(undefined, "", "no", "5.2.1 disabled", "4.0.0")).toBe("5.2.1");
});

const PROVIDER = { type: "Permanent", subtype: "General" } as const;

test.each([
  ["5.1.1", "Permanent", "NoEmail"],
  ["5.1.10", "Permanent", "General"],
  ["5.4.4", "Permanent", "General"],
  ["5.2.2", "Transient", "MailboxFull"],
  ["4.2.2", "Transient", "MailboxFull"],
  ["5.3.4", "Transient", "MessageTooLarge"],
  ["5.6.1", "Transient", "ContentRejected"],
  ["5.7.1", "Transient", "General"],
  ["4.4.7", "Transient", "General"],
  ["5.0.0", "Permanent", "General"],
  [undefined, "Permanent", "General"],
])("%s of a bounce that the provider calls permanent is %s, %s", (code, type, subtype) => {
  expect(toBounceDetails(code, PROVIDER)).toEqual({ type, subtype });
});

test("a code of a missing mailbox counts above a provider's softer word", () => {
  expect(toBounceDetails("5.1.1", { type: "Transient", subtype: "General" }).type).toBe("Permanent");
});
