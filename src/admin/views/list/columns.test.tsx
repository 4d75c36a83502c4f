import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { openList } from "./test-list.ts";

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
