/** @jest-environment node */
/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import { createHttp } from "../http/http.ts";
import { buildExportPath, createDataProvider, getEtag, toCrudFilter, toCrudSort } from "./data.ts";
import { isDataError } from "./data-error.ts";

describe("data", () => {
  const PAGE = { page: 1, page_size: 20, total_count: 45, total_pages: 3, count_is_estimate: true };

  /** A provider over a server that answers everything alike, and the calls it was sent. */
  function createFakeServer(status: number, body: unknown) {
    const calls: { method: string; url: URL; body: unknown; signal: AbortSignal | null | undefined }[] = [];
    const http = createHttp({
      baseUrl: "https://x.test",
      getLanguage: () => "tr",
      fetch: async (address, init) => {
        calls.push({
          method: init?.method ?? "GET",
          url: new URL(String(address)),
          body: init?.body === undefined ? undefined : JSON.parse(String(init.body)),
          signal: init?.signal,
        });
        return new Response(status === 204 ? null : JSON.stringify(body), { status });
      },
    });
    return { calls, provider: createDataProvider(http) };
  }

  function queryOf(url: URL | undefined): Record<string, string> {
    return Object.fromEntries(url?.searchParams ?? []);
  }

  describe("a list", () => {
    test("is asked for with the documented query, whatever characters it holds", async () => {
      const { calls, provider } = createFakeServer(200, { objects: [], pagination: PAGE });
      await provider.getList({
        resource: "models/7/objects",
        pagination: { currentPage: 3, pageSize: 50 },
        filters: [toCrudFilter({ field: "issuer", operator: "iexact", value: "R&D #1 100% + ı" })],
        sorters: [toCrudSort({ field: "issued_on", direction: "desc" })],
        meta: { search: "a=b&c" },
      });
      expect(calls[0]?.url.pathname).toBe("/api/admin/models/7/objects/");
      expect(queryOf(calls[0]?.url)).toEqual({
        page: "3",
        page_size: "50",
        search: "a=b&c",
        "filters[0][field]": "issuer",
        "filters[0][operator]": "iexact",
        "filters[0][value]": "R&D #1 100% + ı",
        "sort[0][field]": "issued_on",
        "sort[0][direction]": "desc",
      });
    });

    test("takes Refine's own operators too", async () => {
      const { calls, provider } = createFakeServer(200, { objects: [], pagination: PAGE });
      await provider.getList({
        resource: "models/7/objects",
        filters: [
          { field: "id", operator: "in", value: [1, 2] },
          { field: "file", operator: "nnull", value: true },
          { field: "issuer", operator: "eq", value: "x" },
        ],
      });
      expect(queryOf(calls[0]?.url)).toMatchObject({
        "filters[0][value]": "1,2",
        "filters[1][operator]": "isnull",
        "filters[1][value]": "false",
        "filters[2][operator]": "exact",
      });
    });

    test("refuses an operator that the documented query doesn't have", async () => {
      const { provider } = createFakeServer(200, {});
      const list = provider.getList({
        resource: "models/7/objects",
        filters: [{ field: "a", operator: "between", value: [1, 2] }],
      });
      await expect(list).rejects.toThrow("between");
    });

    test("goes on behind a cursor, which Refine's infinite lists hand on as the page", async () => {
      const { calls, provider } = createFakeServer(200, {
        objects: [],
        pagination: { ...PAGE, next_cursor: "c2" },
      });
      const first = await provider.getList({ resource: "models/7/objects" });
      expect(first.cursor).toEqual({ next: "c2" });
      // Refine's type has numbers alone; its infinite lists pass on what `cursor.next` was.
      const pagination = { currentPage: "c2" as unknown as number, pageSize: 20 };
      await provider.getList({ resource: "models/7/objects", pagination });
      await provider.getList({ resource: "models/7/objects", meta: { cursor: "c3" } });
      expect(calls.map(({ url }) => queryOf(url))).toEqual([
        { page: "1", page_size: "20" },
        { cursor: "c2", page_size: "20" },
        { cursor: "c3", page_size: "20" },
      ]);
    });

    test("has conditions of any depth, and a counted total where that is asked for", async () => {
      const { calls, provider } = createFakeServer(200, { objects: [], pagination: PAGE });
      const where = { or: [{ field: "a", operator: "exact", value: "R&D" }, { not: { field: "b" } }] };
      await provider.getList({
        resource: "models/7/objects",
        pagination: { mode: "off" },
        meta: { where, count: "exact" },
      });
      expect(queryOf(calls[0]?.url)).toEqual({ where: JSON.stringify(where), count: "exact" });
    });

    test("gives rows, total and whether the total is an estimate", async () => {
      const row = { id: 1, repr: "A", label: { en: "A", tr: null } };
      const { provider } = createFakeServer(200, { objects: [row], pagination: PAGE });
      expect(await provider.getList({ resource: "models/7/objects" })).toEqual({
        data: [row],
        total: 45,
        isEstimate: true,
      });
    });

    test("that answers something else is an error and not an empty list", async () => {
      const { provider } = createFakeServer(200, { message: "hello" });
      await expect(provider.getList({ resource: "models/7/objects" })).rejects.toMatchObject({
        code: "unexpected_answer",
      });
    });

    test("hands on the signal that aborts it", async () => {
      const { calls, provider } = createFakeServer(200, { objects: [], pagination: PAGE });
      const { signal } = new AbortController();
      await provider.getList({ resource: "models/7/objects", meta: { signal } });
      expect(calls[0]?.signal).toBe(signal);
    });
  });

  test("a change is a PATCH of what it was given, and a delete needs no body back", async () => {
    const record = { id: 4, repr: "A" };
    const updating = createFakeServer(200, record);
    const answer = await updating.provider.update({
      resource: "models/7/objects",
      id: 4,
      variables: { label: { en: "B", tr: null } },
    });
    expect(answer).toEqual({ data: record });
    expect(updating.calls[0]).toMatchObject({ method: "PATCH", body: { label: { en: "B", tr: null } } });
    expect(updating.calls[0]?.url.pathname).toBe("/api/admin/models/7/objects/4/");

    const deleting = createFakeServer(204, null);
    expect(await deleting.provider.deleteOne({ resource: "models/7/objects", id: 4 })).toEqual({
      data: { id: 4 },
    });
    expect(deleting.calls[0]?.method).toBe("DELETE");
  });

  test("a failed call becomes Refine's error, with code and field errors", async () => {
    const { provider } = createFakeServer(400, {
      message: "Validation failed",
      code: "validation_failed",
      status: 400,
      errors: [{ field: "label.tr", code: "too_long", message: "Too long." }],
      detail: "Validation failed",
      error: "Validation failed",
      request_id: "r",
    });
    const error = await provider
      .create({ resource: "models/7/objects", variables: {} })
      .catch((thrown: unknown) => thrown);
    expect(isDataError(error)).toBe(true);
    expect(error).toEqual({
      message: "Validation failed",
      statusCode: 400,
      code: "validation_failed",
      fieldErrors: [{ field: "label.tr", code: "too_long", message: "Too long." }],
      errors: { "label.tr": ["Too long."] },
    });
  });

  test("an export asks for the rows of the view, without a page", () => {
    const path = buildExportPath(
      "models/7/objects",
      { search: "R&D", sorts: [{ field: "a", direction: "asc" }] },
      { format: "csv", columns: ["id", "a"], keepsFormulas: true },
    );
    const url = new URL(path, "https://x.test");
    expect(url.pathname).toBe("/api/admin/models/7/objects/export/");
    expect(queryOf(url)).toEqual({
      search: "R&D",
      "sort[0][field]": "a",
      "sort[0][direction]": "asc",
      format: "csv",
      columns: "id,a",
      formulas: "keep",
    });
  });

  describe("a version", () => {
    const RECORD = { id: 4, repr: "Four" };
    function serve(status: number, body: unknown, etag?: string) {
      const sent: (string | null)[] = [];
      const http = createHttp({
        baseUrl: "https://x.test",
        getLanguage: () => "en",
        fetch: async (_address, init) => {
          sent.push(new Headers(init?.headers).get("If-Match"));
          return new Response(JSON.stringify(body), { status, headers: etag ? { ETag: etag } : {} });
        },
      });
      return { sent, provider: createDataProvider(http) };
    }

    test("of a record goes with it, and back with an update", async () => {
      const { sent, provider } = serve(200, RECORD, '"abc"');
      const etag = getEtag(await provider.getOne({ resource: "models/7/objects", id: 4 }));
      expect(etag).toBe('"abc"');
      await provider.update({ resource: "models/7/objects", id: 4, variables: {}, meta: { ifMatch: etag } });
      expect(sent).toEqual([null, '"abc"']);
    });

    test("that is stale rejects with the record as it is now", async () => {
      const stale = { code: "stale_write", current: RECORD, current_etag: '"new"', submitted: { a: 1 } };
      const { provider } = serve(409, { ...stale, message: "Somebody was faster." });
      const update = provider.update({ resource: "models/7/objects", id: 4, variables: {} });
      await expect(update).rejects.toMatchObject({ statusCode: 409, code: "stale_write", stale });
    });
  });
});

describe("custom call", () => {
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
});
