/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { readFailure, UNKNOWN_ERROR } from "./failure.ts";

const fault = (field: string, message: string, code = "invalid") => ({ field, code, message });

test.each<[string, unknown, string, object[]]>([
  ["a field's texts", { label: ["Too long"] }, "label: Too long", [fault("label", "Too long")]],
  ["one text", { label: "Too long" }, "label: Too long", [fault("label", "Too long")]],
  [
    "several texts of several fields",
    { label: ["Too long", "Too grand"], issuer: ["Missing"] },
    "label: Too long label: Too grand issuer: Missing",
    [fault("label", "Too long"), fault("label", "Too grand"), fault("issuer", "Missing")],
  ],
  ["a language of a field", { label: { tr: ["Uzun"] } }, "label.tr: Uzun", [fault("label.tr", "Uzun")]],
  ["a row of a field", { links: [{}, { url: ["Bad"] }] }, "links.1.url: Bad", [fault("links.1.url", "Bad")]],
  ["faults of no field", { non_field_errors: ["Twice"] }, "Twice", [fault("", "Twice")]],
  ["a list of texts", ["Not now"], "Not now", [fault("", "Not now")]],
  ["a field that is called message", { message: ["Short"] }, "message: Short", [fault("message", "Short")]],
  [
    "a fault with its code",
    { label: [{ message: "Taken", code: "unique" }] },
    "label: Taken",
    [fault("label", "Taken", "unique")],
  ],
  ["words beside faults", { error: "Refused", label: ["Too long"] }, "Refused", [fault("label", "Too long")]],
  ["errors by field", { errors: { label: ["Too long"] } }, "label: Too long", [fault("label", "Too long")]],
  [
    "the documented envelope",
    { message: "Validation failed", errors: [fault("label", "X", "y")], request_id: "r", status: 400 },
    "Validation failed",
    [fault("label", "X", "y")],
  ],
  ["nothing to read", { retry_after: 3, ok: null, deep: { deeper: 7 } }, UNKNOWN_ERROR, []],
  ["no body", undefined, UNKNOWN_ERROR, []],
])("a 400 with %s is read", (_, body, message, errors) => {
  expect(readFailure(400, body)).toMatchObject({ message, errors });
});

test("what stands beside the envelope of another status is no field's fault", () => {
  expect(readFailure(409, { message: "Stale", current: { label: "Theirs" } })).toMatchObject({
    message: "Stale",
    errors: [],
  });
  expect(readFailure(503, ["Down"])).toMatchObject({ message: UNKNOWN_ERROR, errors: [] });
});
