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

  test.each([
    ["getOne", "GET", "https://x.test/api/users/4/"],
    ["create", "POST", "https://x.test/api/users/"],
    ["update", "PUT", "https://x.test/api/users/4/"],
    ["deleteOne", "DELETE", "https://x.test/api/users/4/"],
  ] as const)(
    "of the meta of %s nothing but version and signal is obeyed, no other method or header",
    async (name, method, address) => {
      const { sent, provider } = serve(({ method }) =>
        method === "DELETE" ? { status: 204 } : { body: USER },
      );
      const meta = { method: "delete", headers: { Authorization: "Bearer other" }, search: "foo", id: 9 };
      // One signature for the four: what Refine's types let no caller put into `meta`, an address can.
      const call = provider[name] as (params: object) => Promise<unknown>;
      await call({ resource: "users", id: 4, variables: {}, meta });
      expect(sent).toEqual([expect.objectContaining({ method, address, authorization: "Bearer one" })]);
    },
  );

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
