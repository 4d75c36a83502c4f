import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { useCustom, useDelete, useGo, useList, useOne, useUpdate } from "@refinedev/core";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import fc from "fast-check";
import { toRuns } from "#test/property-runs.ts";
import { fillInBrowser } from "../test-admin.tsx";
import { renderInRefine, toPage } from "./test-refine.tsx";

const RESOURCE = "models/7/objects";
const RUNS = toRuns(100, 1000);

beforeAll(fillInBrowser);
afterEach(cleanup);

type Go = ReturnType<typeof useGo>;

function GoProbe({ onDraw }: { onDraw: (go: Go) => void }) {
  onDraw(useGo());
  return null;
}

/** `a=1&b[0]=2&b[1]=3` as `{ a: "1", b: ["2", "3"] }`. */
function readQuery(search: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(search)) {
    const [, name = key, index] = /^(\w+)\[(\d+)\]$/.exec(key) ?? [];
    if (index === undefined) read[name] = value;
    else read[name] = [...(read[name] ?? []), value];
  }
  return read;
}

describe("trap: the router binding writes the query unencoded, and 'R&D #1 100%' reloads as 'R'", () => {
  const awkward = fc.constantFrom("R&D #1 100% + ı", "a&filters[0][field]=id", "%2B%26", "a=b", "日本 🎓");
  const text = fc.oneof(awkward, fc.string({ unit: "grapheme", maxLength: 12 }));
  /** Over 20 values of a list came back as an object. */
  const list = fc.array(text, { minLength: 21, maxLength: 40 });
  const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((word) => word !== "to");
  const query = fc.dictionary(name, fc.oneof(text, list), { noNullPrototype: true });

  async function renderGo() {
    const seen: Go[] = [];
    const { router } = await renderInRefine(<GoProbe onDraw={(go) => seen.push(go)} />, {
      server: () => ({}),
    });
    return {
      go: (call: Parameters<Go>[0]) => act(async () => void seen.at(-1)?.(call)),
      read: () => readQuery(router.state.location.search),
    };
  }

  test(`${RUNS} random queries are read as they were written, beside what the address held before`, async () => {
    const { go, read } = await renderGo();
    await fc.assert(
      fc.asyncProperty(query, query, async (first, second) => {
        await go({ to: "/admin/users", query: first });
        expect(read()).toEqual(first);
        await go({ to: "/admin/users", query: second, options: { keepQuery: true } });
        expect(read()).toEqual({ ...first, ...second });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

function Calls() {
  const query = { errorNotification: false } as const;
  useList({ resource: "models", pagination: { mode: "off" }, ...query });
  useList({ resource: RESOURCE, ...query });
  const one = useOne({ resource: RESOURCE, id: 4, ...query });
  useCustom({ url: "/api/admin/dashboard/", method: "get", ...query });
  const { mutate: update } = useUpdate();
  const { mutate: remove } = useDelete();
  return (
    <>
      <p>{one.query.status}</p>
      <button type="button" onClick={() => update({ resource: RESOURCE, id: 4, values: { a: 1 } })}>
        update
      </button>
      <button type="button" onClick={() => remove({ resource: RESOURCE, id: 4 })}>
        delete
      </button>
    </>
  );
}

async function callAt(address: string): Promise<string[]> {
  const { calls, unmount } = await renderInRefine(<Calls />, {
    address,
    server({ method, url }) {
      if (method === "DELETE") return { status: 204 };
      return { body: url.pathname.endsWith("/4/") ? { id: 4, repr: "Four" } : toPage(1) };
    },
  });
  await screen.findByText("success");
  for (const name of ["update", "delete"])
    await act(async () => screen.getByRole("button", { name }).click());
  await waitFor(() => expect(calls.some(({ method }) => method === "DELETE")).toBe(true));
  unmount();
  return calls.map(({ method, url }) => `${method} ${url.pathname}${url.search}`);
}

describe("trap: the router binding puts the address's query into `meta` of every data call", () => {
  test("a query of the address changes no call: neither what is asked for nor how", async () => {
    const plain = await callAt("/admin/models/7");
    expect(plain).toContain(`GET /api/admin/${RESOURCE}/4/`);
    const query = "search=foo&cursor=c&where=%7B%7D&count=exact&method=delete&ifMatch=x&headers[a]=b";
    expect(await callAt(`/admin/models/7?${query}`)).toEqual(plain);
  });
});
