/** @jest-environment node */
/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { type Credentials, createHttp, HttpError, toBackEndAddress } from "./http.ts";

describe("http", () => {
  interface Sent {
    url: string;
    init: RequestInit;
  }

  const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

  /** A fetch that answers from a list and remembers what it was asked. */
  function createFakeFetch(...answers: (Response | Error)[]) {
    const sent: Sent[] = [];
    const fakeFetch = async (url: unknown, init: RequestInit = {}) => {
      sent.push({ url: String(url), init });
      const answer = answers.shift();
      if (!answer) throw new Error("The fake fetch has no answer left.");
      if (answer instanceof Response) return answer;
      throw answer;
    };
    return { sent, fetch: fakeFetch as typeof fetch };
  }

  function createFakeSession(token: string | null, renewed: string | null = null) {
    const refused: string[] = [];
    const session: Credentials = {
      getAccessToken: async () => token,
      async renewAccessToken(old) {
        refused.push(old);
        return renewed;
      },
    };
    return { session, refused };
  }

  const headerOf = ({ init }: Sent, name: string) => new Headers(init.headers).get(name);
  const getLanguage = () => "tr";
  const answerSchema = z.object({ id: z.number() });

  async function catchError(promise: Promise<unknown>): Promise<HttpError> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof HttpError)) throw new Error("An HttpError was expected.");
    return error;
  }

  test("a request carries its language, its token and its JSON, and is read by its schema", async () => {
    const { sent, fetch } = createFakeFetch(json(200, { id: 7, extra: true }));
    const http = createHttp({
      baseUrl: "https://api.example/",
      getLanguage,
      fetch,
      ...createFakeSession("abc"),
    });

    const answer = await http.request("/api/x/", { method: "POST", body: { a: 1 }, schema: answerSchema });

    expect(answer).toEqual({ id: 7 });
    expect(sent).toHaveLength(1);
    const [call] = sent as [Sent];
    expect(call.url).toBe("https://api.example/api/x/");
    expect(call.init).toMatchObject({ method: "POST", body: '{"a":1}' });
    expect(headerOf(call, "Authorization")).toBe("Bearer abc");
    expect(headerOf(call, "Accept-Language")).toBe("tr");
    expect(headerOf(call, "Content-Type")).toBe("application/json");
  });

  test.each([200, 500])(
    "an answer of %d that breaks off is a lost connection, and an aborted one the abort",
    async (status) => {
      const cut = () =>
        new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) });
      const { fetch } = createFakeFetch(new Response(cut(), { status }), new Response(cut(), { status }));
      const http = createHttp({ baseUrl: "https://api.example/", getLanguage, fetch });
      const error = await catchError(http.request("/api/x/", { schema: answerSchema }));
      expect(error.code).toBe("network_error");
      const signal = AbortSignal.abort("gone");
      await expect(http.request("/api/x/", { schema: answerSchema, signal })).rejects.toBe("gone");
    },
  );

  test("a guest's request has no token, and an answer without a body needs no schema", async () => {
    const { sent, fetch } = createFakeFetch(new Response(null, { status: 204 }));
    const http = createHttp({ getLanguage, fetch, ...createFakeSession(null) });
    expect(await http.request("/api/x/", { method: "DELETE" })).toBeUndefined();
    expect(headerOf(sent[0] as Sent, "Authorization")).toBeNull();
  });

  test("headers of all calls are asked for with the token of the moment; those of one call win", async () => {
    const { sent, fetch } = createFakeFetch(json(401, {}), json(200, {}), json(200, {}));
    const headers = (token: string | null) => ({ "X-User-ID": `id of ${token}` });
    const http = createHttp({ getLanguage, fetch, headers, ...createFakeSession("old", "new") });
    await http.request("/api/x/");
    await http.request("/api/x/", { headers: { "X-User-ID": "own" } });
    const ids = sent.map((call) => headerOf(call, "X-User-ID"));
    expect(ids).toEqual(["id of old", "id of new", "own"]);
    const guest = createFakeFetch(json(200, {}));
    await createHttp({ getLanguage, fetch: guest.fetch, headers }).request("/api/x/");
    expect(headerOf(guest.sent[0] as Sent, "X-User-ID")).toBe("id of null");
  });

  test("a form goes out as it is, so that the browser writes its boundary", async () => {
    const { sent, fetch } = createFakeFetch(json(200, {}));
    const form = new FormData();
    await createHttp({ getLanguage, fetch }).request("/api/x/", { method: "PUT", body: form });
    expect(sent[0]?.init.body).toBe(form);
    expect(headerOf(sent[0] as Sent, "Content-Type")).toBeNull();
  });

  describe("a 401", () => {
    test("is sent once more with a renewed token", async () => {
      const { sent, fetch } = createFakeFetch(json(401, {}), json(200, { id: 1 }));
      const { session, refused } = createFakeSession("old", "new");
      await createHttp({ getLanguage, fetch, session }).request("/api/x/", { schema: answerSchema });
      expect(refused).toEqual(["old"]);
      expect(sent.map((call) => headerOf(call, "Authorization"))).toEqual(["Bearer old", "Bearer new"]);
    });

    test("is not sent a third time", async () => {
      const { sent, fetch } = createFakeFetch(json(401, {}), json(401, { detail: "No" }));
      const http = createHttp({ getLanguage, fetch, ...createFakeSession("old", "new") });
      const error = await catchError(http.request("/api/x/"));
      expect(error).toMatchObject({ status: 401, message: "No" });
      expect(sent).toHaveLength(2);
    });

    test("stays a 401 when the session is over", async () => {
      const { sent, fetch } = createFakeFetch(json(401, { detail: "Gone" }));
      const http = createHttp({ getLanguage, fetch, ...createFakeSession("old", null) });
      expect((await catchError(http.request("/api/x/"))).status).toBe(401);
      expect(sent).toHaveLength(1);
    });

    test("of a guest is not tried again", async () => {
      const { session, refused } = createFakeSession(null, "new");
      const { fetch } = createFakeFetch(json(401, {}));
      await catchError(createHttp({ getLanguage, fetch, session }).request("/api/x/"));
      expect(refused).toEqual([]);
    });
  });

  describe("the error of a failed call", () => {
    const fail = (answer: Response | Error) => {
      const { fetch } = createFakeFetch(answer);
      return catchError(createHttp({ getLanguage, fetch }).request("/api/x/", { schema: answerSchema }));
    };

    test.each([
      ["detail first", { detail: "a", error: "b", message: "c" }, "a"],
      ["else error", { error: "b", message: "c" }, "b"],
      ["else message", { message: "c" }, "c"],
      ["else the unknown error", {}, "Unknown error occurred"],
      ["not what isn't a text", { detail: { why: 1 }, message: "c" }, "c"],
    ])("takes its message from %s", async (_case, body, message) => {
      expect((await fail(json(400, body))).message).toBe(message);
    });

    test("keeps status, code and field errors", async () => {
      const errors = [{ field: "username", code: "taken", message: "Taken" }];
      const error = await fail(json(409, { detail: "x", code: "conflict", errors }));
      expect(error).toMatchObject({ status: 409, code: "conflict", errors });
    });

    test.each([
      ["12", 12],
      [undefined, undefined],
      ["soon", undefined],
      ["Fri, 20 Nov 2026 22:00:00 GMT", undefined],
    ])("with Retry-After %j says to wait for %j seconds", async (header, seconds) => {
      const headers = header ? { "Retry-After": header } : {};
      const error = await fail(new Response("{}", { status: 429, headers }));
      expect(error.retryAfterS).toBe(seconds);
    });

    test("survives a page of a proxy in place of JSON", async () => {
      const error = await fail(new Response("<h1>Bad gateway</h1>", { status: 502 }));
      expect(error).toMatchObject({ status: 502, message: "Unknown error occurred", errors: [] });
    });

    test("has status 500 when no answer came", async () => {
      expect(await fail(new TypeError("Failed to fetch"))).toMatchObject({
        status: 500,
        code: "network_error",
        message: "Failed to fetch",
      });
    });

    test("has status 500 when the answer is not what the schema says", async () => {
      expect(await fail(json(200, { id: "seven" }))).toMatchObject({
        status: 500,
        code: "unexpected_answer",
      });
    });
  });

  test("an aborted call rejects with the reason of its signal, not with an HttpError", async () => {
    const controller = new AbortController();
    controller.abort();
    const { fetch } = createFakeFetch(new DOMException("Aborted", "AbortError"));
    const call = createHttp({ getLanguage, fetch }).request("/api/x/", { signal: controller.signal });
    await expect(call).rejects.toBe(controller.signal.reason);
  });

  test("the raw variant gives the response itself and still rejects a failure", async () => {
    const { fetch } = createFakeFetch(new Response("a,b", { status: 200 }), json(403, { detail: "No" }));
    const http = createHttp({ getLanguage, fetch });
    expect(await (await http.requestRaw("/api/export/")).text()).toBe("a,b");
    expect((await catchError(http.requestRaw("/api/export/"))).status).toBe(403);
  });

  describe("a call that asks whether it is still the same person", () => {
    const stepUp = () => json(403, { code: "step_up_required", message: "Show that it is you." });
    const withConfirm = (confirm: () => Promise<boolean>) => ({
      session: { ...createFakeSession("t").session, confirm },
    });

    test("is sent again, as it was, once they have shown it", async () => {
      const { sent, fetch } = createFakeFetch(stepUp(), json(200, { id: 7 }));
      const asked: string[] = [];
      const confirm = async () => asked.push("asked") > 0;
      const http = createHttp({ getLanguage, fetch, ...withConfirm(confirm) });
      const call = { method: "POST", body: { a: 1 }, schema: answerSchema } as const;
      expect(await http.request("/x/", call)).toEqual({ id: 7 });
      expect(asked).toEqual(["asked"]);
      expect(sent.map(({ init }) => [init.method, init.body])).toEqual([
        ["POST", '{"a":1}'],
        ["POST", '{"a":1}'],
      ]);
    });

    test.each([
      ["they give up", false, 1],
      ["it is asked for a second time", true, 2],
    ])("gives the refusal back where %s", async (_, isConfirmed, count) => {
      const { sent, fetch } = createFakeFetch(stepUp(), stepUp());
      const http = createHttp({ getLanguage, fetch, ...withConfirm(async () => isConfirmed) });
      expect(await catchError(http.request("/x/"))).toMatchObject({ status: 403, code: "step_up_required" });
      expect(sent).toHaveLength(count);
    });

    test("gives another refusal back without asking, and so does a client of guests", async () => {
      const confirm = () => Promise.reject(new Error("nobody is to be asked"));
      const refused = createFakeFetch(json(403, { code: "permission_denied" }));
      const http = createHttp({ getLanguage, fetch: refused.fetch, ...withConfirm(confirm) });
      expect(await catchError(http.request("/x/"))).toMatchObject({ code: "permission_denied" });
      const guest = createHttp({ getLanguage, fetch: createFakeFetch(stepUp()).fetch });
      expect(await catchError(guest.request("/x/"))).toMatchObject({ code: "step_up_required" });
    });
  });
});

describe("back end address", () => {
  test.each([
    ["/files/ab.png", "", "/files/ab.png"],
    ["/files/ab.png", "https://api.test/", "https://api.test/files/ab.png"],
    ["https://cdn.test/ab.png", "https://api.test", "https://cdn.test/ab.png"],
    ["//cdn.test/ab.png", "https://api.test", "//cdn.test/ab.png"],
  ])("%s with the back end at %j is %s", (address, baseUrl, expected) => {
    expect(toBackEndAddress(address, baseUrl)).toBe(expected);
  });
});
