import { expect, test } from "@jest/globals";
import { UNKNOWN_ERROR } from "#providers/failure.ts";
import { createHttp } from "#providers/http.ts";
import { createI18n } from "#providers/i18n.ts";
import { toErrorText } from "./errors.tsx";

const guest = { getAccessToken: async () => null, renewAccessToken: async () => null };

test.each([
  ["en", "No valid token", "An error occurred"],
  ["tr", "Geçerli bir belirteç yok", "Bir hata oluştu"],
] as const)("without a token nothing is asked, which is said in %s", async (lang, noToken, unknown) => {
  const { t } = createI18n(lang);
  const sent: unknown[] = [];
  const http = createHttp({
    getLanguage: () => lang,
    session: guest,
    isGuestRefused: true,
    fetch: (async (url: unknown) => sent.push(url)) as unknown as typeof fetch,
  });
  const error: unknown = await http.request("/api/users/").catch((thrown: unknown) => thrown);
  expect(toErrorText(error, t)).toBe(noToken);
  expect(error).toMatchObject({ status: 401 });
  expect(sent).toEqual([]);
  expect(toErrorText({ message: UNKNOWN_ERROR }, t)).toBe(unknown);
});
