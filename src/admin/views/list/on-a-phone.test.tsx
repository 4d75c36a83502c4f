import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { showOnPhone } from "../../test-admin.tsx";
import { MODEL, openList, WAIT } from "./test-list.ts";

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
  const sheet = within(await screen.findByRole("dialog", undefined, WAIT));
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
  const sheet = within(await screen.findByRole("dialog", undefined, WAIT));
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
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/1"), WAIT);
  await act(() => router.navigate("/admin/models/7"));
  const third = cards()[2];
  if (third) await user.click(third);
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/3"), WAIT);
});

test("what can be done with one record opens on its card", async () => {
  const user = userEvent.setup();
  const { ready } = await openList();
  await ready();
  expect(screen.queryByRole("button", { name: "Delete Bob" })).toBeNull();
  await press("Actions: Bob");
  expect(screen.getByRole("button", { name: "Actions: Bob" }).getAttribute("aria-expanded")).toBe("true");
  await user.click(screen.getByRole("button", { name: "Delete Bob" }));
  expect(await screen.findByText("Delete “Bob”?", undefined, WAIT)).toBeTruthy();
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
  expect(await screen.findByText("No objects found", undefined, WAIT)).toBeTruthy();
  cleanup();
  await openList({ refusal: { status: 500, message: "Out of order" } });
  expect(await screen.findByText("Out of order", undefined, WAIT)).toBeTruthy();
});
