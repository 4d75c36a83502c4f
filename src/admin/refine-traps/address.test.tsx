import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { act, cleanup, render } from "@testing-library/react";
import fc from "fast-check";
import { createMemoryRouter, RouterProvider } from "react-router";
import { FILTER_OPERATORS } from "#contract/content/models.ts";
import { toRuns } from "#test/property-runs.ts";
import { fillInBrowser } from "../test-admin.tsx";
import type { ListView } from "../views/state/list-view.ts";
import { type ChangeView, useListView } from "../views/state/use-list-view.ts";

const START = "/admin/models/7";
const RUNS = toRuns(200, 1000);

beforeAll(fillInBrowser);
afterEach(cleanup);

interface ProbeProps {
  onDraw: (view: ListView, change: ChangeView) => void;
}

function Probe({ onDraw }: ProbeProps) {
  onDraw(...useListView({}));
  return null;
}

/** The list's own hook at an address, without a list. */
async function openView(address: string) {
  const seen: { view: ListView; change: ChangeView }[] = [];
  const probe = <Probe onDraw={(view, change) => seen.push({ view, change })} />;
  const router = createMemoryRouter([{ path: "*", element: probe }], { initialEntries: [address] });
  const { unmount } = await act(async () => render(<RouterProvider router={router} />));
  const last = () => {
    const entry = seen.at(-1);
    if (!entry) throw new Error("nothing was drawn");
    return entry;
  };
  return {
    view: () => last().view,
    change: (view: Partial<ListView>) => act(async () => last().change(view)),
    go: (delta: number) => act(() => router.navigate(delta)),
    navigate: (to: string) => act(() => router.navigate(to)),
    address: () => router.state.location.pathname + router.state.location.search,
    close: unmount,
  };
}

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
/** What breaks addresses most often, among everything else that a text may hold. */
const awkward = fc.constantFrom(
  ..."&#%+:,;=?/\\\"'<> \t\n\u0000",
  "R&D #1 100% + ı",
  "%2B%26",
  "true",
  "null",
  "undefined",
  "0",
  "-1",
  "  ",
  "İŞIK",
  "日本 🎓",
  "e\u0301",
);
const text = fc
  .array(fc.oneof(awkward, fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 6 })
  .map((parts) => parts.join(""));
/** `in` of up to 200 values: over 20 of them came back as an object. */
const manyValues = fc.array(fc.oneof(fc.integer().map(String), name), { minLength: 21, maxLength: 200 });
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: manyValues.map((values) => values.join(",")) },
  { weight: 1, arbitrary: fc.constantFrom("", "true", "false", "null") },
);
const filter = fc.record({ field: name, operator: fc.constantFrom(...FILTER_OPERATORS), value });
const view: fc.Arbitrary<ListView> = fc.record({
  search: text,
  filters: fc.array(filter, { maxLength: 6 }),
  groups: fc.array(
    fc.array(fc.array(filter, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
    {
      maxLength: 2,
    },
  ),
  sorts: fc.array(fc.record({ field: name, direction: fc.constantFrom("asc" as const, "desc" as const) }), {
    maxLength: 4,
  }),
  page: fc.integer({ min: 1, max: 999_999_999 }),
  pageSize: fc.integer({ min: 1, max: 200 }),
  columns: fc.uniqueArray(name, { maxLength: 6 }),
});

describe("trap: the router binding writes the query unencoded, and 'R&D #1 100%' reloads as 'R'", () => {
  test(`${RUNS} random views come back exactly from Back, Forward, a reload and a copied link`, async () => {
    const open = await openView(START);
    await fc.assert(
      fc.asyncProperty(view, view, async (first, second) => {
        await open.change(first);
        const firstAddress = open.address();
        await open.change(second);
        const secondAddress = open.address();
        expect(open.view()).toEqual(second);
        if (firstAddress !== secondAddress) {
          await open.go(-1);
          expect(open.view()).toEqual(first);
          await open.go(1);
          expect(open.view()).toEqual(second);
        }
        // As a browser's address bar and a mail carry it.
        const copied = new URL(secondAddress, "https://x.test");
        const reloaded = await openView(copied.href.slice(copied.origin.length));
        expect(reloaded.view()).toEqual(second);
        reloaded.close();
      }),
      { numRuns: RUNS / 2, endOnFailure: true },
    );
  });
});

describe("trap: useTable with syncWithLocation", () => {
  test("(a) each step is an entry of the history, so that Back undoes it", async () => {
    const open = await openView(START);
    await open.change({ page: 2 });
    await open.change({ page: 3 });
    await open.change({ pageSize: 50 });
    const pages = [];
    for (const step of [0, -1, -1, -1]) {
      if (step !== 0) await open.go(step);
      pages.push([open.view().page, open.view().pageSize]);
    }
    expect(pages).toEqual([
      [1, 50],
      [3, 20],
      [2, 20],
      [1, 20],
    ]);
  });

  test("(b) the address is read whenever it changes: a link to page 2, and the menu's link back", async () => {
    const open = await openView(`${START}?page=4`);
    await open.navigate(`${START}?page=2`);
    expect(open.view().page).toBe(2);
    await open.navigate(START);
    expect(open.view().page).toBe(1);
  });

  test("(d) a filter, a search or a sort leads back to page 1", async () => {
    const open = await openView(`${START}?page=7`);
    await open.change({ filters: [{ field: "a", operator: "exact", value: "x" }] });
    expect(open.view().page).toBe(1);
  });

  test("(e) a filter on a field named `search`, or any other name of the address, is a filter", async () => {
    const open = await openView(START);
    for (const field of ["search", "page", "sort", "filter", "columns"]) {
      const filters = [{ field, operator: "exact" as const, value: "x" }];
      await open.change({ filters, search: "typed" });
      expect(open.view()).toMatchObject({ filters, search: "typed", page: 1 });
    }
  });
});
