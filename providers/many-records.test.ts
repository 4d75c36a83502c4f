/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { createHttp } from "./http/http.ts";
import { createDataProvider } from "./refine/data.ts";

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
  const refusal = { reason: "superuser_protected", message: "No.", count: 1000, ids: upTo(6000).slice(5000) };
  const answers = [{ affected_count: 5000 }, { affected_count: 0, refusals: [refusal] }];
  const { provider } = serve(() => ({ message: "", ...answers.shift() }));
  const answer = await provider.deleteMany?.({ resource: RESOURCE, ids: upTo(6000) });
  expect(answer?.data).toEqual(upTo(5000).map((id) => ({ id })));
});

test("where there is no door for many rows, no row is written and the caller is told", async () => {
  const { sent, provider } = serve();
  await expect(provider.deleteMany?.({ resource: "users", ids: [1, 2] })).rejects.toThrow("users");
  await expect(provider.createMany?.({ resource: RESOURCE, variables: [{}] })).rejects.toThrow(RESOURCE);
  expect(sent).toEqual([]);
});
