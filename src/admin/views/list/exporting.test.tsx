import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { toWhere } from "../state/list-view.ts";
import { openList, WAIT } from "./test-list.ts";

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
  const dialog = within(await screen.findByRole("dialog", { name: "Export Certificates, 1 selected" }, WAIT));
  await user.click(dialog.getByRole("radio", { name: "The 5 columns of this list" }));
  await user.click(dialog.getByRole("button", { name: "Export" }));
  await waitFor(() => expect(calls.some(isExport)).toBe(true), WAIT);
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
  const dialog = within(await screen.findByRole("dialog", { name: /1,233 selected/ }, WAIT));
  await user.click(dialog.getByRole("button", { name: "Export" }));
  await waitFor(() => expect(calls.some(isExport)).toBe(true), WAIT);
  expect(bodies.at(-1)).toMatchObject({ search: "x", where: WHERE, exclude_ids: [3] });

  await user.click(screen.getByTitle("Export every row of this list"));
  await user.click(await screen.findByRole("menuitem", { name: "JSON" }, WAIT));
  await waitFor(() => expect(calls.filter(isExport)).toHaveLength(2), WAIT);
  const asked = calls.findLast(isExport)?.searchParams;
  expect(JSON.parse(asked?.get("where") ?? "")).toEqual(WHERE);
  expect(asked?.get("sort[1][field]")).toBe("issuer");
});
