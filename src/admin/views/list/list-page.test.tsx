import { afterEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";
import { MODEL, openList, ROWS, WAIT } from "./test-list.ts";

afterEach(cleanup);

/** Opens antd's select and takes one of its options. */
async function choose(label: string, option: string): Promise<void> {
  fireEvent.mouseDown(screen.getByRole("combobox", { name: label }));
  fireEvent.click(await screen.findByText(option, { selector: ".ant-select-item-option-content" }, WAIT));
}

test("the sort is chosen by field and order, among sortable fields, beside the headers", async () => {
  const user = userEvent.setup();
  const fields = [
    ...MODEL.fields.slice(0, 2),
    buildField({ name: "file", verbose_name: "File", sortable: false }),
  ];
  const model = buildModel({ fields, default_sort: [{ field: "issuer", direction: "asc" }] });
  const { query, ready } = await openList({ models: [model] });
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
  expect(await screen.findByText("4 in total", undefined, WAIT)).toBeTruthy();
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
  const numbers = pages.getAllByRole("listitem").filter(({ textContent }) => /^\d+$/.test(textContent ?? ""));
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
  expect(screen.getByRole("link", { name: "Owner" }).getAttribute("href")).toBe("/admin/models/7/objects/5");
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
  expect(await screen.findByRole("link", { name: "Ada" }, WAIT)).toBeTruthy();
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
