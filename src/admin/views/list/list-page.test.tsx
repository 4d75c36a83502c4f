import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin, showOnPhone } from "../../test-admin.tsx";
import { toWhere } from "../state/list-view.ts";
import { buildField, buildModel } from "../test-model.ts";
import { MODEL, openList, ROWS } from "./test-list.ts";

describe("list page", () => {
  afterEach(cleanup);

  /** Opens antd's select and takes one of its options. */
  async function choose(label: string, option: string): Promise<void> {
    fireEvent.mouseDown(screen.getByRole("combobox", { name: label }));
    fireEvent.click(await screen.findByText(option, { selector: ".ant-select-item-option-content" }));
  }

  test("the sort is chosen by field and order, among sortable fields, beside the headers", async () => {
    const user = userEvent.setup();
    const fields = [
      ...MODEL.fields.slice(0, 2),
      buildField({ name: "file", verbose_name: "File", sortable: false }),
    ];
    const source = buildModel({ fields, default_sort: [{ field: "issuer", direction: "asc" }] });
    const { query, ready } = await openList({ models: [source] });
    await ready();
    const issuer = screen.getByRole("columnheader", { name: "The issuer" });
    expect(issuer.getAttribute("aria-sort")).toBe("ascending");
    await choose("Sort by", "The label");
    await waitFor(() => expect(query().getAll("sort")).toEqual(["label"]));
    await choose("Order", "Descending");
    await waitFor(() => expect(query().getAll("sort")).toEqual(["-label"]));
    await user.click(screen.getByRole("button", { name: "The label" }));
    await waitFor(() => expect(query().getAll("sort")).toEqual(["label"]));
    expect(screen.queryByRole("button", { name: "File" })).toBeNull();
  });

  test("an estimated total says so, and is counted on request without asking for the rows again", async () => {
    const user = userEvent.setup();
    const { calls, ready } = await openList({
      pagination: { total_count: 1_000_000, total_pages: 50_000, count_is_estimate: true },
    });
    await ready();
    expect(screen.getByText("~1,000,000 in total")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Count exactly" }));
    expect(await screen.findByText("4 in total")).toBeTruthy();
    expect(calls.filter((url) => url.searchParams.get("count") === "exact")).toHaveLength(1);
    expect(calls.filter((url) => !url.searchParams.has("count"))).toHaveLength(1);
  });

  test("five page numbers at most, and the size of a page stays in the address", async () => {
    const { ready } = await openList({
      address: "/admin/models/7?page=31&page_size=50",
      pagination: { page: 31, page_size: 50, total_count: 5000, total_pages: 100 },
    });
    await ready();
    const pages = within(screen.getByRole("navigation", { name: "Pages" }));
    const numbers = pages
      .getAllByRole("listitem")
      .filter(({ textContent }) => /^\d+$/.test(textContent ?? ""));
    expect(numbers.map(({ textContent }) => textContent)).toEqual(["1", "30", "31", "32", "100"]);
    expect(pages.getByText("1,501–1,550 of 5,000")).toBeTruthy();
  });

  test("the model says what it is, where it is seen, and leads to bulk work with the list's query", async () => {
    const { ready } = await openList({
      address: "/admin/models/7?search=a&page=3",
      models: [{ ...MODEL, site_path: "/cv" }],
    });
    await ready();
    const info = within(screen.getByRole("region", { name: "About this model" }));
    for (const text of ["Certificate", "cv", "1,234", "Yes"]) expect(info.getByText(text)).toBeTruthy();
    expect(info.getByRole("link", { name: "View on site" }).getAttribute("href")).toBe("/cv");
    expect(screen.getByText("Papers with a stamp.")).toBeTruthy();
    const bulk = screen.getByRole("link", { name: "Bulk Operations" });
    expect(bulk.getAttribute("href")).toBe("/admin/models/7/bulk?search=a");
  });

  test("a cell leads to a visible related record, names no hash, and a hidden row says so", async () => {
    const fields = [
      buildField({ name: "label" }),
      buildField({ name: "owner", type: "ForeignKey", control: "relation", related_model: 7 }),
      buildField({ name: "secret", type: "ForeignKey", control: "relation", related_model: 99 }),
      buildField({ name: "file", type: "FileField", control: "file" }),
      buildField({ name: "is_hidden", type: "BooleanField", control: "switch" }),
    ];
    const row = {
      ...ROWS[0],
      id: 1,
      repr: "Ada",
      owner: { id: 5, repr: "Owner" },
      secret: { id: 6, repr: "Secret" },
      file: `/files/${"0a".repeat(16)}.pdf`,
      is_hidden: true,
    };
    const { ready } = await openList({
      models: [buildModel({ fields, hidden_field: "is_hidden" })],
      rows: [row],
    });
    await ready();
    expect(screen.getByRole("link", { name: "Owner" }).getAttribute("href")).toBe(
      "/admin/models/7/objects/5",
    );
    expect(screen.queryByRole("link", { name: "Secret" })).toBeNull();
    expect(screen.getByRole("link", { name: "PDF file" })).toBeTruthy();
    expect(within(screen.getByRole("rowheader")).getByText("Hidden")).toBeTruthy();
  });

  test("a Turkish list speaks Turkish", async () => {
    const { ready } = await openList({ lang: "tr" });
    await ready();
    expect(screen.getByText("Toplam 4")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Toplu işlemler" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Seç: Ada" })).toBeTruthy();
  });

  test("the buttons of antd's own icons are called in the console's language", async () => {
    const user = userEvent.setup();
    const { ready } = await openList({
      lang: "tr",
      pagination: { total_count: 50, total_pages: 3 },
    });
    await ready();
    const pages = within(screen.getByRole("navigation", { name: "Sayfalar" }));
    expect(pages.getByRole("button", { name: "Önceki sayfa" })).toBeTruthy();
    expect(pages.getByRole("button", { name: "Sonraki sayfa" })).toBeTruthy();
    await user.type(screen.getByRole("searchbox"), "a");
    expect(screen.getByRole("button", { name: "Aramayı temizle" })).toBeTruthy();
    for (const name of ["left", "right", "close-circle"])
      expect(screen.queryByRole("button", { name })).toBeNull();
  });

  test("a page that only the estimate knows leads to the last one there is", async () => {
    const asked: string[] = [];
    const { router } = await renderAdmin({
      address: "/admin/models/7?page=3",
      models: [MODEL],
      server({ url: { searchParams: query } }) {
        asked.push(`${query.get("page")} ${query.get("count")}`);
        const isExact = query.get("count") === "exact";
        const pagination = {
          page: Number(query.get("page")),
          page_size: 20,
          total_count: isExact ? 24 : 60,
          total_pages: isExact ? 2 : 3,
          count_is_estimate: !isExact,
        };
        return { body: { objects: query.get("page") === "3" ? [] : ROWS, pagination } };
      },
    });
    expect(await screen.findByRole("link", { name: "Ada" })).toBeTruthy();
    expect(router.state.location.search).toBe("?page=2");
    expect(asked.filter((call) => call.endsWith("exact"))).toHaveLength(1);
    expect(screen.queryByText("No objects found")).toBeNull();
  });

  test("the second click of a double click opens no record that came under the pointer in between", async () => {
    const { ready, router } = await openList();
    const link = await ready();
    fireEvent.click(link, { detail: 2 });
    expect(router.state.navigation.state).toBe("idle");
    expect(router.state.location.pathname).toBe("/admin/models/7");
    fireEvent.click(link, { detail: 1 });
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/1"));
  });
});

describe("selecting", () => {
  afterEach(cleanup);

  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  const ticked = () =>
    screen
      .getAllByRole<HTMLInputElement>("checkbox", { name: /^Select (?!all)/ })
      .map(({ checked }) => checked);

  test("rows, a range of them, the page and all that match are selected, and said to screen readers", async () => {
    const user = userEvent.setup();
    const { ready } = await openList({ pagination: { total_count: 1234, total_pages: 62 } });
    await ready();
    await user.click(box("Select Bob"));
    expect(box("Select all on this page").indeterminate).toBe(true);
    await user.keyboard("{Shift>}");
    await user.click(box("Select Deniz"));
    await user.keyboard("{/Shift}");
    expect(ticked()).toEqual([false, true, true, true]);
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain("3 selected");
    await user.click(box("Select all on this page"));
    expect(ticked()).toEqual([true, true, true, true]);
    await user.click(screen.getByRole("button", { name: "Select all 1,234 that match" }));
    expect(screen.getAllByText("1,234 selected")).toHaveLength(2);
    await user.click(box("Select Cem"));
    expect(screen.getAllByText("1,233 selected")).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(ticked()).toEqual([false, false, false, false]);
  });

  test("the query and its exclusions go to the bulk page, never a list of ids", async () => {
    const user = userEvent.setup();
    const { ready, router } = await openList({
      address: "/admin/models/7?search=a&filter=issuer:exact:ACME&page=2",
      pagination: { total_count: 1234, total_pages: 62 },
    });
    await ready();
    await user.click(box("Select Ada"));
    await user.click(screen.getByRole("button", { name: "Select all 1,234 that match" }));
    await user.click(box("Select Bob"));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/bulk"));
    expect(new URLSearchParams(router.state.location.search).getAll("filter")).toEqual(["issuer:exact:ACME"]);
    expect(new URLSearchParams(router.state.location.search).has("page")).toBe(false);
    expect(router.state.location.state).toEqual({
      selection: { kind: "query", excluded: [2] },
      operation: "delete",
    });
  });

  test("a selection survives sorting and paging, and another search ends it", async () => {
    const user = userEvent.setup();
    const { ready, router } = await openList();
    await ready();
    await user.click(box("Select Ada"));
    await user.click(screen.getByRole("button", { name: "The issuer" }));
    await waitFor(() => expect(router.state.location.search).toBe("?sort=issuer"));
    expect(ticked()[0]).toBe(true);
    await act(() => router.navigate("/admin/models/7?search=a"));
    await waitFor(() => expect(ticked()[0]).toBe(false));
  });

  test("who may neither change nor delete exports alone, and has no way to the bulk page", async () => {
    const user = userEvent.setup();
    const permissions = { view: true, create: false, update: false, delete: false };
    const { ready } = await openList({ models: [{ ...MODEL, permissions }] });
    await ready();
    expect(screen.queryByRole("link", { name: "Bulk Operations" })).toBeNull();
    await user.click(box("Select Ada"));
    expect(screen.queryByRole("button", { name: /^(Update|Delete)/ })).toBeNull();
    expect(screen.getAllByRole("button", { name: /^Export/ }).length).toBeGreaterThan(0);
  });

  test("keys go from row to row, select and open; the focus is the cursor", async () => {
    const user = userEvent.setup();
    const { ready, router } = await openList();
    await ready();
    await user.keyboard("j");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Ada" }));
    await user.keyboard("jjk");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Bob" }));
    await user.keyboard("x");
    expect(ticked()).toEqual([false, true, false, false]);
    await user.keyboard("/");
    expect(document.activeElement).toBe(screen.getByRole("searchbox"));
    await user.keyboard("j");
    expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("j");
    await user.clear(screen.getByRole("searchbox"));
    act(() => screen.getByRole("link", { name: "Cem" }).focus());
    await user.keyboard("e");
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/3"));
  });
});

describe("exporting", () => {
  afterEach(cleanup);

  const GROUP = [["label:contains:a"], ["label:contains:b"]];
  const ADDRESS = `/admin/models/7?search=x&sort=-label&sort=issuer&any=${encodeURIComponent(JSON.stringify(GROUP))}`;
  const label = (value: string) => ({ field: "label", operator: "contains", value }) as const;
  const WHERE = toWhere([[[label("a")], [label("b")]]]);

  const isExport = ({ pathname }: URL) => pathname.endsWith("/export/");

  test("selected rows are exported on the list's own screen, by the same dialog, in the list's order", async () => {
    const user = userEvent.setup();
    const { calls, bodies, ready, router } = await openList({ address: ADDRESS });
    await ready();
    await user.click(screen.getByRole("checkbox", { name: "Select Bob" }));
    const bar = within(screen.getByRole("group", { name: "Selection" }));
    await user.click(bar.getByRole("button", { name: "Export" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Export Certificates, 1 selected" }));
    await user.click(dialog.getByRole("radio", { name: "The 5 columns of this list" }));
    await user.click(dialog.getByRole("button", { name: "Export" }));
    await waitFor(() => expect(calls.some(isExport)).toBe(true));
    expect(router.state.location.pathname).toBe("/admin/models/7");
    expect(bodies.at(-1)).toMatchObject({
      object_ids: [2],
      columns: ["id", "label", "issuer", "place", "note", "grade"],
      sort: [
        { field: "label", direction: "desc" },
        { field: "issuer", direction: "asc" },
      ],
    });
  });

  test("all that match but a few, and every row of the list, go by search, groups and sorts", async () => {
    const user = userEvent.setup();
    const { calls, bodies, ready } = await openList({
      address: ADDRESS,
      pagination: { total_count: 1234, total_pages: 62 },
    });
    await ready();
    await user.click(screen.getByRole("checkbox", { name: "Select Bob" }));
    await user.click(screen.getByRole("button", { name: /^Select all 1,234/ }));
    await user.click(screen.getByRole("checkbox", { name: "Select Cem" }));
    const bar = within(screen.getByRole("group", { name: "Selection" }));
    await user.click(bar.getByRole("button", { name: "Export" }));
    const dialog = within(await screen.findByRole("dialog", { name: /1,233 selected/ }));
    await user.click(dialog.getByRole("button", { name: "Export" }));
    await waitFor(() => expect(calls.some(isExport)).toBe(true));
    expect(bodies.at(-1)).toMatchObject({ search: "x", where: WHERE, exclude_ids: [3] });

    await user.click(screen.getByTitle("Export every row of this list"));
    await user.click(await screen.findByRole("menuitem", { name: "JSON" }));
    await waitFor(() => expect(calls.filter(isExport)).toHaveLength(2));
    const asked = calls.findLast(isExport)?.searchParams;
    expect(JSON.parse(asked?.get("where") ?? "")).toEqual(WHERE);
    expect(asked?.get("sort[1][field]")).toBe("issuer");
  });
});

describe("on a phone", () => {
  let showWide: () => void;
  beforeEach(() => {
    localStorage.clear();
    showWide = showOnPhone();
  });
  afterEach(() => {
    cleanup();
    showWide();
  });

  const cards = () => within(screen.getByRole("list", { name: "Certificates" })).getAllByRole("listitem");
  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  const press = (name: string | RegExp) => userEvent.setup().click(screen.getByRole("button", { name }));

  test("rows are cards with their fields' names; what decides about them lies in a sheet", async () => {
    const user = userEvent.setup();
    const { query, ready } = await openList({ address: "/admin/models/7?filter=label:contains:a" });
    await ready();
    expect(cards()).toHaveLength(4);
    expect(cards()[0]?.textContent).toContain("The issuerACME");
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.queryByRole("combobox", { name: "Sort by" })).toBeNull();
    expect(screen.queryByRole("region", { name: "About this model" })).toBeNull();

    await press("Filter and sort, 1 filter on");
    const sheet = within(await screen.findByRole("dialog"));
    expect(sheet.getByText("Filter and sort")).toBeTruthy();
    expect(sheet.getByRole("combobox", { name: "Sort by" })).toBeTruthy();
    await user.click(sheet.getByText("Columns", { selector: "summary" }));
    await user.click(sheet.getByRole("checkbox", { name: "The issuer" }));
    await waitFor(() => expect(query().get("columns")).toBe("label,place,note,grade"));
    await user.click(sheet.getByRole("button", { name: "Remove filter: The label contains “a”" }));
    await waitFor(() => expect(query().has("filter")).toBe(false));
    expect(sheet.getByRole("button", { name: "Show 4 results" })).toBeTruthy();
  });

  test("the rest of the list's buttons, and what the model is, lie in another one", async () => {
    const { ready } = await openList();
    await ready();
    expect(screen.getByRole("button", { name: "Create New" })).toBeTruthy();
    await press("More");
    const sheet = within(await screen.findByRole("dialog"));
    expect(sheet.getByRole("button", { name: "Export" })).toBeTruthy();
    expect(sheet.getByRole("link", { name: "Bulk Operations" })).toBeTruthy();
    expect(sheet.getByRole("region", { name: "About this model" })).toBeTruthy();
    expect(sheet.getByText("Papers with a stamp.")).toBeTruthy();
  });

  test("cards are selected one by one, by range, by page and all that match", async () => {
    const user = userEvent.setup();
    const { ready } = await openList({ pagination: { total_count: 1234, total_pages: 62 } });
    await ready();
    await user.click(box("Select Bob"));
    await user.keyboard("{Shift>}");
    await user.click(box("Select Deniz"));
    await user.keyboard("{/Shift}");
    expect(cards().map((card) => card.dataset.chosen)).toEqual([undefined, "true", "true", "true"]);
    expect(box("Select all on this page").indeterminate).toBe(true);
    await user.click(box("Select all on this page"));
    await press("Select all 1,234 that match");
    expect(screen.getAllByText("1,234 selected")).toHaveLength(2);
    await press("Clear");
    expect(box("Select all on this page").checked).toBe(false);
  });

  test("keys go from card to card, select and open; a click on a card opens it too", async () => {
    const user = userEvent.setup();
    const { ready, router } = await openList();
    await ready();
    await user.keyboard("jj");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Bob" }));
    await user.keyboard("x");
    expect(box("Select Bob").checked).toBe(true);
    await user.keyboard("k");
    expect(document.activeElement).toBe(screen.getByRole("link", { name: "Ada" }));
    await user.keyboard("e");
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/1"));
    await act(() => router.navigate("/admin/models/7"));
    const third = cards()[2];
    if (third) await user.click(third);
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/3"));
  });

  test("what can be done with one record opens on its card", async () => {
    const user = userEvent.setup();
    const { ready } = await openList();
    await ready();
    expect(screen.queryByRole("button", { name: "Delete Bob" })).toBeNull();
    await press("Actions: Bob");
    expect(screen.getByRole("button", { name: "Actions: Bob" }).getAttribute("aria-expanded")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Delete Bob" }));
    expect(await screen.findByText("Delete “Bob”?")).toBeTruthy();
  });

  test("the table can be chosen in place of cards, and the next list is one too", async () => {
    const { ready } = await openList();
    await ready();
    await press("Show as a table");
    expect(screen.getByRole("table", { name: "Certificates" })).toBeTruthy();
    cleanup();
    const next = await openList({ models: [{ ...MODEL, verbose_name_plural: "Papers" }] });
    await next.ready();
    expect(screen.getByRole("table", { name: "Papers" })).toBeTruthy();
    await press("Show as cards");
    expect(screen.getByRole("list", { name: "Papers" })).toBeTruthy();
  });

  test("a list that is empty or could not be had says so as on a wide screen", async () => {
    await openList({ rows: [] });
    expect(await screen.findByText("No objects found")).toBeTruthy();
    cleanup();
    await openList({ refusal: { status: 500, message: "Out of order" } });
    expect(await screen.findByText("Out of order")).toBeTruthy();
  });
});
