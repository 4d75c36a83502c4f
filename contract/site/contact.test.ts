import { expect, test } from "@jest/globals";
import { findContactFault, toContactText } from "./contact.ts";

test.each(["\u200b\u200b", " \u200d\u00ad ", "\u2066\u2069"])(
  "a name of nothing that can be seen (%j) is none",
  (text) => {
    expect(findContactFault("name", toContactText("name", text))).toBe("contact_name_required");
  },
);

test.each(["👩‍💻 Ada", "علی‌رضا"])("what joins letters and signs stays: %s", (text) => {
  expect(toContactText("name", text)).toBe(text);
});
