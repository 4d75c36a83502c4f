import { expect, test } from "@jest/globals";
import { UNKNOWN_ERROR } from "#providers/failure.ts";
import { HttpError } from "#providers/http.ts";
import { createText } from "#providers/text.ts";
import type { TextKey } from "../../ui/public-text.ts";
import type { AccountTexts } from "../account-text.tsx";
import { texts as en } from "../account-texts-en.ts";
import { texts as tr } from "../account-texts-tr.ts";
import { toReason } from "./failure-text.ts";

const TEXTS = {
  en: createText<TextKey<AccountTexts>>("en", en),
  tr: createText<TextKey<AccountTexts>>("tr", tr),
};

test.each([
  ["en", new HttpError(UNKNOWN_ERROR, "unknown", 401), "No valid token"],
  ["tr", new HttpError(UNKNOWN_ERROR, "unknown", 401), "Geçerli belirteç yok"],
  [
    "tr",
    new HttpError("JWT token refresh failed", "token_refresh_failed", 500),
    "JWT belirteci yenilenemedi",
  ],
  ["en", new HttpError("Over", "unknown", 401), "Over"],
  ["en", new HttpError(UNKNOWN_ERROR, "unknown", 500), ""],
] as const)("in %s the reason of %s is %j", (lang, error, text) => {
  expect(toReason(error, TEXTS[lang])).toBe(text);
});
