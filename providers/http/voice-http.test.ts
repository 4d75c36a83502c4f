import { expect, jest, test } from "@jest/globals";
import { createVoiceHttp } from "./voice-http.ts";

const toToken = (sub: string) => `e30.${btoa(JSON.stringify({ sub }))}.x`;

/** The address and the person of a call, whoever is signed in. */
async function readCall(token: string | null, baseUrl?: string) {
  const fetch = jest.fn<typeof globalThis.fetch>();
  // All that is read of an answer; jsdom has no Response.
  fetch.mockResolvedValue({ ok: true, status: 200, text: async () => "{}" } as Response);
  const session = { getAccessToken: async () => token, renewAccessToken: async () => null };
  const http = createVoiceHttp({ getLanguage: () => "en", session, fetch, ...(baseUrl && { baseUrl }) });
  await http.request("/voice/rooms/");
  const [url, init] = fetch.mock.calls[0] ?? [];
  const headers = init?.headers as Record<string, string>; // as createHttp writes them
  return { url, id: headers["X-User-ID"] };
}

test("a call to voice names the person of its token", async () => {
  expect(await readCall(toToken("7"), "https://voice.example")).toEqual({
    url: "https://voice.example/voice/rooms/",
    id: "7",
  });
});

test("a token that can't be read names nobody, and without one nothing is asked", async () => {
  expect(await readCall("opaque")).toEqual({ url: "/voice/rooms/", id: undefined });
  await expect(readCall(null)).rejects.toMatchObject({ code: "no_valid_token", status: 401 });
});
