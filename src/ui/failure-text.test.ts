import { expect, test } from "@jest/globals";
import en from "#locales/en/session.json" with { type: "json" };
import tr from "#locales/tr/session.json" with { type: "json" };
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import { createText } from "#providers/text.ts";
import { toReason } from "./failure-text.ts";
import type { TextKey } from "./public-text.ts";

type Texts = { session: typeof en };

const TEXTS = {
  en: createText<TextKey<Texts>>("en", { session: en }),
  tr: createText<TextKey<Texts>>("tr", { session: tr }),
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
