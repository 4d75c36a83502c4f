import { describe, expect, test } from "@jest/globals";
import {
  buildListViewParams,
  changeListView,
  EMPTY_VIEW,
  isNarrowed,
  type ListView,
  parseListView,
  toRowQuery,
  toUsualScope,
} from "./list-view.ts";

const AWKWARD = [
  "R&D #1 100% + ı",
  "a=b&c;d",
  "a:b:c",
  "  two  spaces ",
  "%2B%26",
  "?page=2",
  "İŞIK/çöp\\",
  "\"'<>",
  "日本 🎓",
];

function roundTrip(view: ListView): ListView {
  // Through a real address, as a copied link would go.
  const url = new URL(`https://x.test/admin/models/7?${buildListViewParams(view)}`);
  return parseListView(new URL(url.href).searchParams);
}

describe("the list view in the URL", () => {
  test.each(AWKWARD)("keeps every character of %j in search and filter", (text) => {
    const view: ListView = {
      search: text,
      filters: [{ field: "issuer", operator: "contains", value: text }],
      groups: [
        [
          [
            { field: "issuer", operator: "exact", value: text },
            { field: "kind", operator: "in", value: "a,b" },
          ],
          [{ field: "label", operator: "startswith", value: text }],
        ],
      ],
      sorts: [{ field: "issued_on", direction: "desc" }],
      page: 3,
      pageSize: 50,
      columns: [],
    };
    expect(roundTrip(view)).toEqual(view);
  });

  test("keeps long `in` lists and several filters and sorts", () => {
    const view: ListView = {
      ...EMPTY_VIEW,
      filters: [
        { field: "id", operator: "in", value: Array.from({ length: 60 }, (_, index) => index).join(",") },
        { field: "label", operator: "isnull", value: "false" },
        { field: "label", operator: "exact", value: "" },
      ],
      sorts: [
        { field: "a", direction: "asc" },
        { field: "b", direction: "desc" },
      ],
    };
    expect(roundTrip(view)).toEqual(view);
  });

  test("keeps the chosen columns in their order, each once", () => {
    const view: ListView = { ...EMPTY_VIEW, columns: ["issuer", "id", "label"] };
    expect(roundTrip(view)).toEqual(view);
    expect(parseListView(new URLSearchParams("columns=a,,b,a")).columns).toEqual(["a", "b"]);
  });

  test("names a number of rows only where it differs from the list's own", () => {
    const view: ListView = { ...EMPTY_VIEW, pageSize: 50 };
    expect(buildListViewParams(view, { pageSize: 50 }).toString()).toBe("");
    expect(parseListView(new URLSearchParams(), { pageSize: 50 })).toEqual(view);
    expect(parseListView(buildListViewParams(EMPTY_VIEW, { pageSize: 50 }), { pageSize: 50 })).toEqual(
      EMPTY_VIEW,
    );
  });

  test("is empty for the view that everybody starts with", () => {
    expect(buildListViewParams(EMPTY_VIEW).toString()).toBe("");
    expect(parseListView(new URLSearchParams())).toEqual(EMPTY_VIEW);
  });

  test.each([
    "any=x",
    "any=[]",
    "any=[[]]",
    'any=[["a:exact:1"],[]]',
    'any=[["a:exact:1"],["b"]]',
    'any=["a:exact:1"]',
    "any=null",
  ])("leaves out a group that is only partly readable, as %j", (query) => {
    expect(parseListView(new URLSearchParams(query)).groups).toEqual([]);
  });

  test.each([
    ["page=-1&page_size=0", { page: 1, pageSize: 1 }],
    ["page=zwei&page_size=9999", { page: 1, pageSize: 200 }],
    ["filter=x&filter=a:drop:1&sort=-&sort=", { filters: [], sorts: [] }],
  ])("reads %j without believing it", (query, expected) => {
    expect(parseListView(new URLSearchParams(query))).toMatchObject(expected);
  });
});

test("groups are asked for as the query's nested conditions", () => {
  const a = { field: "a", operator: "exact", value: "1" } as const;
  const b = { field: "b", operator: "gte", value: "2" } as const;
  const toQuery = (groups: ListView["groups"]) => toRowQuery({ ...EMPTY_VIEW, groups });
  expect(toQuery([])).not.toHaveProperty("where");
  expect(toQuery([[[a], [b]]]).where).toEqual({ or: [a, b] });
  expect(toQuery([[[a, b], [b]]]).where).toEqual({ or: [{ and: [a, b] }, b] });
  expect(
    toQuery([
      [[a], [b]],
      [[b], [a]],
    ]).where,
  ).toEqual({ and: [{ or: [a, b] }, { or: [b, a] }] });
});

test("any change of the rows leads back to page 1", () => {
  const view: ListView = { ...EMPTY_VIEW, page: 7 };
  expect(changeListView(view, { search: "x" }).page).toBe(1);
  expect(changeListView(view, { filters: [] }).page).toBe(1);
  expect(changeListView(view, { groups: [] }).page).toBe(1);
  expect(changeListView(view, { pageSize: 50 }).page).toBe(1);
  expect(changeListView(view, { page: 8 }).page).toBe(8);
  expect(changeListView(view, { columns: ["a"] }).page).toBe(7);
});

describe("filters that hold by default", () => {
  const open = { field: "is_processed", operator: "exact", value: "false" } as const;
  const month = { field: "date_range", operator: "exact", value: "30" } as const;
  const week = { ...month, value: "7" };
  const other = { field: "kind", operator: "exact", value: "all" } as const;
  const defaults = { defaultFilters: [open, month] };
  const parse = (query: string) => parseListView(new URLSearchParams(query), defaults);
  const build = (filters: ListView["filters"]) =>
    buildListViewParams({ ...EMPTY_VIEW, filters }, defaults).getAll("filter");

  test("stand in the view while the address says nothing of their fields, and never in the address", () => {
    expect(parse("").filters).toEqual([open, month]);
    expect(parse("filter=kind:exact:all").filters).toEqual([open, month, other]);
    expect(build([open, month])).toEqual([]);
    expect(build([month, open, other])).toEqual(["kind:exact:all"]);
  });

  test("give way to another value of their field, which stays relative", () => {
    expect(parse("filter=date_range:exact:7").filters).toEqual([open, week]);
    expect(build([open, week])).toEqual(["date_range:exact:7"]);
  });

  test("are distinguished from All, which stands in the address", () => {
    expect(build([open])).toEqual(["date_range:exact:all"]);
    expect(parse("filter=date_range:exact:all").filters).toEqual([open]);
    expect(build([])).toEqual(["is_processed:exact:all", "date_range:exact:all"]);
    expect(parse("filter=is_processed:exact:all&filter=date_range:exact:all").filters).toEqual([]);
  });

  test("are what a view is cleared to, and no narrowing of it", () => {
    expect(toUsualScope(defaults)).toEqual({ search: "", filters: [open, month], groups: [] });
    expect(isNarrowed(parse(""), defaults)).toBe(false);
    expect(isNarrowed(parse("filter=date_range:exact:all"), defaults)).toBe(true);
    expect(isNarrowed(parse("search=a"), defaults)).toBe(true);
  });
});
