/** @jest-environment node */
/** @jest-environment node */
import { afterEach, describe, expect, test } from "@jest/globals";
import { createHttp } from "../http/http.ts";
import { createDataProvider, getEtag } from "./data.ts";

describe("records", () => {
  interface Sent {
    method: string | undefined;
    address: string;
    ifMatch: string | null;
    authorization: string | null;
    body: unknown;
    signal: AbortSignal | null | undefined;
  }

  const USER = {
    id: 4,
    username: "ada",
    email: "ada@example.org",
    first_name: "Ada",
    last_name: "",
    date_joined: "2026-01-01T00:00:00Z",
    is_staff: false,
    is_superuser: false,
    access_level: 1,
    access_level_name: "User",
    is_email_verified: true,
  };

  function serve(answer: (call: Sent) => { status?: number; body?: unknown; etag?: string }) {
    const sent: Sent[] = [];
    const http = createHttp({
      baseUrl: "https://x.test",
      getLanguage: () => "en",
      session: { getAccessToken: async () => "one", renewAccessToken: async () => "two" },
      fetch: async (address, init) => {
        const headers = new Headers(init?.headers);
        const call = {
          method: init?.method,
          address: String(address),
          ifMatch: headers.get("If-Match"),
          authorization: headers.get("Authorization"),
          body: init?.body && JSON.parse(String(init.body)),
          signal: init?.signal,
        };
        sent.push(call);
        const { status = 200, body, etag } = answer(call);
        return new Response(status === 204 ? null : JSON.stringify(body), {
          status,
          headers: etag === undefined ? {} : { ETag: etag },
        });
      },
    });
    return { sent, provider: createDataProvider(http) };
  }

  const realFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  test.each([
    ["users", "PUT", "https://x.test/api/users/4/", USER],
    ["models/7/objects", "PATCH", "https://x.test/api/admin/models/7/objects/4/", { id: 4, repr: "Four" }],
  ])("%s are changed with %s at %s", async (resource, method, address, body) => {
    const { sent, provider } = serve(() => ({ body, etag: '"b"' }));
    const answer = await provider.update({
      resource,
      id: 4,
      variables: { first_name: "Ada" },
      meta: { ifMatch: '"a"' },
    });
    expect(sent).toEqual([
      expect.objectContaining({ method, address, ifMatch: '"a"', body: { first_name: "Ada" } }),
    ]);
    expect(getEtag(answer)).toBe('"b"');
  });

  test("a deletion says which version it means, sends no body and reads none", async () => {
    const { sent, provider } = serve(() => ({ status: 204 }));
    const deleted = await provider.deleteOne({ resource: "users", id: 4, meta: { ifMatch: '"a"' } });
    expect(deleted.data).toEqual({ id: 4 });
    expect(sent[0]).toMatchObject({ method: "DELETE", ifMatch: '"a"', body: undefined });
  });

  test("versions of calls under way at once don't mix", async () => {
    const { provider } = serve(({ address }) => {
      const id = Number(/(\d+)\/$/.exec(address)?.[1]);
      return { body: { id, repr: "row" }, etag: `"${id}"` };
    });
    const ids = [1, 2, 3, 4];
    const answers = await Promise.all(ids.map((id) => provider.getOne({ resource: "models/7/objects", id })));
    expect(answers.map(getEtag)).toEqual(['"1"', '"2"', '"3"', '"4"']);
  });

  test("single records share the session: a refused token is renewed and the call sent again", async () => {
    const { sent, provider } = serve(({ authorization }) =>
      authorization === "Bearer one" ? { status: 401, body: {} } : { body: USER },
    );
    await provider.getOne({ resource: "users", id: 4 });
    expect(sent.map(({ authorization }) => authorization)).toEqual(["Bearer one", "Bearer two"]);
  });

  test("one record that nobody waits for any more is aborted", async () => {
    const { sent, provider } = serve(() => ({ body: USER }));
    const { signal } = new AbortController();
    await provider.getOne({ resource: "users", id: 4, meta: { signal } });
    expect(sent[0]?.signal).toBe(signal);
  });

  test("an answer that isn't the documented record is an error", async () => {
    const { provider } = serve(() => ({ body: { message: "hello" } }));
    await expect(provider.getOne({ resource: "users", id: 4 })).rejects.toMatchObject({
      code: "unexpected_answer",
      statusCode: 500,
    });
  });

  test("an id can't lead to another address", async () => {
    const { sent, provider } = serve(() => ({ body: USER }));
    await provider.getOne({ resource: "users", id: "4/../5?x" });
    expect(sent[0]?.address).toBe("https://x.test/api/users/4%2F..%2F5%3Fx/");
  });

  test("nothing goes out by axios: every call passes the console's own client", async () => {
    globalThis.fetch = () => Promise.reject(new Error("somebody else sends"));
    const { sent, provider } = serve(({ method }) =>
      method === "DELETE" ? { status: 204 } : { body: USER },
    );
    await provider.getOne({ resource: "users", id: 4 });
    await provider.create({ resource: "users", variables: {} });
    await provider.update({ resource: "users", id: 4, variables: {} });
    await provider.deleteOne({ resource: "users", id: 4 });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "POST", "PUT", "DELETE"]);
  });
});

describe("many records", () => {
  const RESOURCE = "models/7/objects";

  function serve(bulk: (ids: number[]) => object = (ids) => ({ affected_count: ids.length, message: "" })) {
    const sent: { method: string | undefined; url: URL; body: { object_ids: number[] } | undefined }[] = [];
    const http = createHttp({
      baseUrl: "https://x.test",
      getLanguage: () => "en",
      fetch: async (address, init) => {
        const url = new URL(String(address));
        const body = init?.body ? JSON.parse(String(init.body)) : undefined;
        sent.push({ method: init?.method, url, body });
        if (body) return new Response(JSON.stringify(bulk(body.object_ids)));
        const ids = (url.searchParams.get("filters[0][value]") ?? "").split(",").map(Number);
        // Backwards, and without number 3: a list has an order of its own.
        const objects = ids.filter((id) => id !== 3).map((id) => ({ id, repr: `row ${id}` }));
        const pagination = { page: 1, page_size: 200, total_count: ids.length, total_pages: 1 };
        return new Response(JSON.stringify({ objects: objects.reverse(), pagination }));
      },
    });
    return { sent, provider: createDataProvider(http) };
  }

  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

  test("450 rows by their ids are three list requests, in the order asked for", async () => {
    const { sent, provider } = serve();
    const ids = upTo(450);
    const answer = await provider.getMany?.({ resource: RESOURCE, ids });
    expect(answer?.data.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 3));
    expect(sent.map(({ url }) => url.searchParams.get("page_size"))).toEqual(["200", "200", "50"]);
    expect(sent.every(({ url }) => url.searchParams.get("filters[0][operator]") === "in")).toBe(true);
  });

  test("a change of 500 rows is one request", async () => {
    const { sent, provider } = serve();
    await provider.updateMany?.({ resource: RESOURCE, ids: upTo(500), variables: { is_hidden: true } });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url.pathname).toBe("/api/admin/models/7/objects/bulk/");
    expect(sent[0]?.body).toEqual({
      operation: "update",
      data: { is_hidden: true },
      object_ids: upTo(500),
    });
  });

  test("a deletion names at most 5,000 rows a request, one request after the other", async () => {
    const { sent, provider } = serve();
    await provider.deleteMany?.({ resource: RESOURCE, ids: upTo(12_000) });
    expect(sent.map(({ body }) => body?.object_ids.length)).toEqual([5000, 5000, 2000]);
  });

  test("rows that were refused are not told as written", async () => {
    const refusal = { reason: "superuser_protected", message: "No.", count: 1, ids: [2] };
    const { provider } = serve(() => ({
      affected_count: 2,
      message: "2 deleted",
      refusals: [refusal],
      job: null,
    }));
    const answer = await provider.deleteMany?.({ resource: RESOURCE, ids: [1, 2, 3] });
    expect(answer?.data).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test.each([
    ["deleteMany", "None of them may go.", "None of them may go."],
    ["deleteMany", "", "Delete failed"],
    ["updateMany", "", "Update failed"],
  ] as const)(
    "%s that affects nothing, with the message %j, fails with %j",
    async (name, message, expected) => {
      const { provider } = serve(() => ({ affected_count: 0, message }));
      const call =
        name === "deleteMany"
          ? provider.deleteMany?.({ resource: RESOURCE, ids: [1] })
          : provider.updateMany?.({ resource: RESOURCE, ids: [1], variables: {} });
      await expect(call).rejects.toMatchObject({
        message: expected,
        code: "nothing_affected",
        fieldErrors: [],
      });
    },
  );

  test("a later part of which nothing was affected doesn't deny what the earlier ones did", async () => {
    const refusal = {
      reason: "superuser_protected",
      message: "No.",
      count: 1000,
      ids: upTo(6000).slice(5000),
    };
    const answers = [{ affected_count: 5000 }, { affected_count: 0, refusals: [refusal] }];
    const { provider } = serve(() => ({ message: "", ...answers.shift() }));
    const answer = await provider.deleteMany?.({ resource: RESOURCE, ids: upTo(6000) });
    expect(answer?.data).toEqual(upTo(5000).map((id) => ({ id })));
  });

  test("where there is no endpoint for many rows, no row is written and the caller is told", async () => {
    const { sent, provider } = serve();
    await expect(provider.deleteMany?.({ resource: "users", ids: [1, 2] })).rejects.toThrow("users");
    await expect(provider.createMany?.({ resource: RESOURCE, variables: [{}] })).rejects.toThrow(RESOURCE);
    expect(sent).toEqual([]);
  });
});
