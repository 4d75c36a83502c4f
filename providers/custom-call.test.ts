/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { createHttp } from "./http/http.ts";
import { createDataProvider, isDataError } from "./refine/data.ts";

function serve(status: number, body: unknown) {
  const sent: { url: URL; init: RequestInit | undefined }[] = [];
  const http = createHttp({
    baseUrl: "https://x.test",
    getLanguage: () => "en",
    fetch: async (address, init) => {
      sent.push({ url: new URL(String(address)), init });
      return new Response(status === 204 ? null : JSON.stringify(body), { status });
    },
  });
  const { custom } = createDataProvider(http);
  if (!custom) throw new Error("the provider has no custom calls");
  return { sent, custom };
}

test("query, filters, headers, body and signal all travel", async () => {
  const { sent, custom } = serve(200, { ok: true });
  const { signal } = new AbortController();
  const { data } = await custom({
    url: "/api/admin/jobs/?status=done",
    method: "post",
    query: { after: 5, search: "R&D #1", absent: undefined },
    filters: [{ field: "user", operator: "eq", value: 3 }],
    headers: { "Idempotency-Key": "k" },
    payload: { a: 1 },
    meta: { signal },
  });
  expect(data).toEqual({ ok: true });
  expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toEqual({
    status: "done",
    after: "5",
    search: "R&D #1",
    "filters[0][field]": "user",
    "filters[0][operator]": "exact",
    "filters[0][value]": "3",
  });
  expect(new Headers(sent[0]?.init?.headers).get("Idempotency-Key")).toBe("k");
  expect(sent[0]?.init).toMatchObject({ method: "POST", body: '{"a":1}', signal });
});

test("an address without a query stays as it is", async () => {
  const { sent, custom } = serve(204, null);
  await custom({ url: "/api/admin/dashboard/", method: "get" });
  expect(sent[0]?.url.href).toBe("https://x.test/api/admin/dashboard/");
});

test.each([403, 409, 500])("a %i rejects as every other call of the provider does", async (status) => {
  const { custom } = serve(status, { message: "No.", code: "nope", errors: [] });
  const error = await custom({ url: "/api/x/", method: "get" }).catch((thrown: unknown) => thrown);
  expect(isDataError(error)).toBe(true);
  expect(error).toMatchObject({ statusCode: status, code: "nope", message: "No." });
});
