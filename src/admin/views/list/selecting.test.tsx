import { afterEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { MODEL, openList, WAIT } from "./test-list.ts";

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
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/bulk"), WAIT);
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
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/3"), WAIT);
});
