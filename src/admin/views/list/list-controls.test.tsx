import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { QueryFilter } from "#contract/content/models.ts";
import { type QuickFilter, toRecordSource } from "#resources/record-source.ts";
import { buildField, buildModel } from "../test-model.ts";
import { pickDefaultColumns } from "./columns/columns.ts";
import { sortAlsoBy, sortBy } from "./columns/sort-select.tsx";
import { chooseOption, findChosen, withoutQuick } from "./filters/quick-filters.tsx";
import { openList } from "./test-list.ts";

describe("list controls", () => {
  afterEach(cleanup);

  const TWO = "/admin/models/7?filter=label:contains:a&filter=issuer:exact:ACME";

  test("several filters read as sentences; each is changed, removed and added on its own", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: TWO });
    await ready();
    const chips = screen.getByRole("list", { name: "Filters" });
    expect(within(chips).getByText(/The label contains “a”/)).toBeTruthy();

    await user.click(within(chips).getByRole("button", { name: /^The issuer is exactly/ }));
    const value = await screen.findByLabelText("Value");
    await user.clear(value);
    await user.type(value, "Bolt");
    await user.click(screen.getByRole("button", { name: "Apply" }));
    await waitFor(() => expect(query().getAll("filter")).toEqual(["label:contains:a", "issuer:exact:Bolt"]));

    await user.click(screen.getByRole("button", { name: "Add filter" }));
    await user.type(await screen.findByLabelText("Value"), "b:c");
    await user.click(screen.getByRole("button", { name: "Apply" }));
    await waitFor(() => expect(query().getAll("filter")[2]).toBe("label:contains:b:c"));

    await user.click(screen.getByRole("button", { name: "Remove filter: The label contains “a”" }));
    await waitFor(() =>
      expect(query().getAll("filter")).toEqual(["issuer:exact:Bolt", "label:contains:b:c"]),
    );
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(query().has("filter")).toBe(false));
  });

  test("more filters than the server takes are not offered, and it is said why", async () => {
    const many = Array.from({ length: ADMIN_LIMITS.filtersMax }, (_, at) => `filter=label:contains:${at}`);
    const { ready } = await openList({ address: `/admin/models/7?${many.join("&")}` });
    await ready();
    const add = screen.getByRole<HTMLButtonElement>("button", { name: "Add filter" });
    expect(add.disabled).toBe(true);
    expect(screen.getByText(/At most 20 filters/)).toBeTruthy();
  });

  test("an address that the server can't read offers to try again and to clear what it asks for", async () => {
    const user = userEvent.setup();
    const { query } = await openList({
      address: "/admin/models/7?search=x&filter=nope:exact:1&sort=gone",
      refusal: { status: 400, message: "There is no field “nope” here." },
    });
    expect(await screen.findByText("There is no field “nope” here.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Clear search and filter" }));
    await waitFor(() => expect(query().toString()).toBe(""));
  });

  test.each([403, 404])("a list that is refused (%i) offers nothing to be done with it", async (status) => {
    await openList({ refusal: { status, message: "Not for you" } });
    expect(await screen.findByText("Not for you")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Create New|Export/ })).toBeNull();
    expect(screen.queryByRole("link", { name: "Bulk Operations" })).toBeNull();
    expect(screen.queryByRole("searchbox")).toBeNull();
  });
});

describe("groups", () => {
  afterEach(cleanup);

  const GROUP = [["issuer:exact:ACME", "label:contains:a"], ["label:contains:b"]];
  const toAddress = (group: unknown) => `/admin/models/7?any=${encodeURIComponent(JSON.stringify(group))}`;
  const readGroups = (query: URLSearchParams) => query.getAll("any").map((text) => JSON.parse(text));

  test("alternatives of a filter are typed, read as one sentence, and asked of the server", async () => {
    const user = userEvent.setup();
    const { calls, query, ready } = await openList();
    await ready();
    await user.click(screen.getByRole("button", { name: "Filter" }));
    await user.type(await screen.findByLabelText("Value"), "x");
    await user.click(screen.getByRole("button", { name: "Or another condition" }));
    const second = within(screen.getByRole("group", { name: "Alternative 2" }));
    await user.type(second.getByLabelText("Value"), "y");
    await user.click(second.getByRole("button", { name: "And another condition" }));
    const third = second.getAllByLabelText("Value")[1];
    if (third) await user.type(third, "z");
    await user.click(screen.getByRole("button", { name: "Apply" }));
    const asked = [["label:contains:x"], ["label:contains:y", "label:contains:z"]];
    await waitFor(() => expect(readGroups(query())).toEqual([asked]));
    expect(
      screen.getByRole("button", {
        name: "The label contains “x” or (The label contains “y” and The label contains “z”)",
      }),
    ).toBeTruthy();
    await waitFor(() => expect(calls.at(-1)?.searchParams.has("where")).toBe(true));
    const label = (value: string) => ({ field: "label", operator: "contains", value });
    expect(JSON.parse(calls.at(-1)?.searchParams.get("where") ?? "")).toEqual({
      or: [label("x"), { and: [label("y"), label("z")] }],
    });
  });

  test("one condition less makes a plain filter of a group, and the group goes with its chip", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: toAddress(GROUP) });
    await ready();
    await user.click(screen.getByRole("button", { name: /^The issuer is exactly|^\(The issuer/ }));
    const [, , last] = await screen.findAllByRole("button", { name: /^Remove condition/ });
    if (last) await user.click(last);
    await user.click(screen.getByRole("button", { name: "Apply" }));
    await waitFor(() => expect(query().getAll("filter")).toEqual(GROUP[0]));
    expect(query().has("any")).toBe(false);
  });

  test("a group goes along to the bulk page, and Clear takes it away", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: toAddress(GROUP) });
    await ready();
    const bulk = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: "Bulk Operations" }).href);
    expect(readGroups(bulk.searchParams)).toEqual([GROUP]);
    await user.click(
      screen.getByRole("button", {
        name: "Remove filter: (The issuer is exactly “ACME” and The label contains “a”) or The label contains “b”",
      }),
    );
    await waitFor(() => expect(query().has("any")).toBe(false));
  });

  test("a Turkish group is joined by Turkish words", async () => {
    const { ready } = await openList({ address: toAddress(GROUP), lang: "tr" });
    await ready();
    expect(
      screen.getByRole("button", {
        name: "(The issuer tam olarak: “ACME” ve The label şunu içeriyor: “a”) veya The label şunu içeriyor: “b”",
      }),
    ).toBeTruthy();
  });
});

describe("quick filters", () => {
  const level = (operator: QueryFilter["operator"], value: string): QueryFilter => ({
    field: "level",
    operator,
    value,
  });
  const ADMIN = [level("gte", "10"), level("lt", "999")];
  const GUEST = [level("exact", "0")];
  const LEVELS: QuickFilter = {
    labelKey: "x",
    options: [
      { labelKey: "atLeastAdmin", filters: [level("gte", "10")] },
      { labelKey: "admin", filters: ADMIN },
      { labelKey: "guest", filters: GUEST },
    ],
  };
  const OTHER: QueryFilter = { field: "name", operator: "contains", value: "a" };

  test("an option is chosen when all its filters are in the view, the most exact one first", () => {
    expect(findChosen(LEVELS, [OTHER])).toBe(-1);
    expect(findChosen(LEVELS, [...ADMIN, OTHER])).toBe(1);
    expect(findChosen(LEVELS, [level("gte", "10")])).toBe(0);
    expect(findChosen(LEVELS, [level("lt", "999")])).toBe(-1);
  });

  test("another option takes the place of the one before and leaves other filters alone", () => {
    expect(chooseOption(LEVELS, [...ADMIN, OTHER], 2)).toEqual([OTHER, ...GUEST]);
    expect(chooseOption(LEVELS, [OTHER], 1)).toEqual([OTHER, ...ADMIN]);
  });

  test("All removes them", () => {
    expect(chooseOption(LEVELS, [...GUEST, OTHER], -1)).toEqual([OTHER]);
  });

  test("what a select shows is no chip as well", () => {
    expect(withoutQuick([LEVELS], [...ADMIN, OTHER])).toEqual([OTHER]);
    expect(withoutQuick([LEVELS], [level("lt", "999")])).toEqual([level("lt", "999")]);
  });
});

describe("sorts", () => {
  afterEach(cleanup);

  const A = { field: "a", direction: "asc" } as const;
  const B = { field: "b", direction: "asc" } as const;

  test("a further field comes in ascending, then descending, then goes; the only one stays", () => {
    const two = sortAlsoBy([A], "b");
    expect(two).toEqual([A, B]);
    const turned = sortAlsoBy(two, "b");
    expect(turned).toEqual([A, { ...B, direction: "desc" }]);
    expect(sortAlsoBy(turned, "b")).toEqual([A]);
    expect(sortAlsoBy([{ ...A, direction: "desc" }], "a")).toEqual([A]);
    const full = ["a", "b", "c", "d", "e"].map((field) => ({ ...A, field }));
    expect(sortAlsoBy(full, "f")).toBe(full);
    expect(sortBy(two, "b")).toEqual([B]);
    expect(sortBy(two, "a")).toEqual([{ ...A, direction: "desc" }]);
  });

  test("Shift and a click on a header sorts by it as well; the control says the same and takes it away", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: "/admin/models/7?sort=-label" });
    await ready();
    await user.keyboard("{Shift>}");
    await user.click(screen.getByRole("button", { name: "The issuer" }));
    await user.keyboard("{/Shift}");
    await waitFor(() => expect(query().getAll("sort")).toEqual(["-label", "issuer"]));
    expect(screen.getByRole("button", { name: /The issuer.*Sort 2: Ascending/ })).toBeTruthy();
    expect(screen.getByText("then by The issuer")).toBeTruthy();

    fireEvent.mouseDown(screen.getByRole("combobox", { name: "Order of The issuer" }));
    const options = await screen.findAllByText("Descending", { selector: ".ant-select-item-option-content" });
    fireEvent.click(options[0] as HTMLElement);
    await waitFor(() => expect(query().getAll("sort")).toEqual(["-label", "-issuer"]));
    await user.click(screen.getByRole("button", { name: "Remove sort: The issuer" }));
    await waitFor(() => expect(query().getAll("sort")).toEqual(["-label"]));
  });

  test("the sort control adds a sort", async () => {
    const { query, ready } = await openList({ address: "/admin/models/7?sort=label" });
    await ready();
    fireEvent.mouseDown(screen.getByRole("combobox", { name: "Then by" }));
    fireEvent.click(await screen.findByText("The grade", { selector: ".ant-select-item-option-content" }));
    await waitFor(() => expect(query().getAll("sort")).toEqual(["label", "grade"]));
  });
});

describe("columns", () => {
  beforeEach(() => localStorage.clear());
  afterEach(cleanup);

  const heads = () =>
    within(screen.getByRole("table"))
      .getAllByRole("columnheader")
      .map((cell) => cell.textContent)
      .filter((text) => text !== "Actions");
  const DEFAULT = ["The label", "The issuer", "The place", "The note", "The grade"];

  test("five columns are shown; others are chosen, ordered, kept in the address and for the next visit", async () => {
    const user = userEvent.setup();
    const first = await openList();
    await first.ready();
    expect(heads()).toEqual(DEFAULT);

    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(await screen.findByRole("checkbox", { name: "The place" }));
    await user.click(screen.getByRole("checkbox", { name: "The extra" }));
    await waitFor(() => expect(first.query().get("columns")).toBe("label,issuer,note,grade,extra"));
    const earlier = screen.getByRole("button", { name: "Move The extra before its neighbour" });
    await user.click(earlier);
    await waitFor(() => expect(first.query().get("columns")).toBe("label,issuer,note,extra,grade"));
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Move The extra before its neighbour");
    expect(screen.getByText("The extra is column 4 of 5")).toBeTruthy();
    expect(heads()).toEqual(["The label", "The issuer", "The note", "The extra", "The grade"]);
    // The rows are the same: they aren't asked for again.
    expect(first.calls.filter(({ pathname }) => pathname.endsWith("/objects/"))).toHaveLength(1);
    cleanup();

    const next = await openList();
    await next.ready();
    await waitFor(() => expect(next.query().get("columns")).toBe("label,issuer,note,extra,grade"));
    expect(heads()).toEqual(["The label", "The issuer", "The note", "The extra", "The grade"]);
    cleanup();

    await openList({ address: "/admin/models/7?columns=kind,label" });
    await waitFor(() => expect(heads()).toEqual(["The kind", "The label"]));
  });

  test("the default comes back, and then the address names no columns", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: "/admin/models/7?columns=label,gone,extra" });
    await ready();
    expect(heads()).toEqual(["The label", "The extra"]);
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(await screen.findByRole("button", { name: "Reset to default" }));
    await waitFor(() => expect(query().has("columns")).toBe(false));
    expect(heads()).toEqual(DEFAULT);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Columns" })));
  });
});

describe("list columns", () => {
  const fields = ["subject", "created_at", "updated_at"].map((name) =>
    buildField({ name, verbose_name: name }),
  );

  function pick(model: Parameters<typeof buildModel>[0]): string[] {
    return pickDefaultColumns(toRecordSource(buildModel({ fields, ...model }))).map(({ name }) => name);
  }

  test("a list shows the moment that it is sorted by, where the model names it", () => {
    const list_columns = ["subject", "created_at", "updated_at"];
    expect(pick({ list_columns, default_sort: [{ field: "created_at", direction: "desc" }] })).toEqual([
      "subject",
      "created_at",
    ]);
  });

  test("moments that every model has are no columns otherwise", () => {
    expect(pick({ list_columns: ["subject", "created_at"], default_sort: [] })).toEqual(["subject"]);
    expect(pick({ list_columns: [], default_sort: [{ field: "created_at", direction: "desc" }] })).toEqual([
      "subject",
    ]);
  });
});
