import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { openList, WAIT } from "./test-list.ts";

afterEach(cleanup);

const GROUP = [["issuer:exact:ACME", "label:contains:a"], ["label:contains:b"]];
const toAddress = (group: unknown) => `/admin/models/7?any=${encodeURIComponent(JSON.stringify(group))}`;
const readGroups = (query: URLSearchParams) => query.getAll("any").map((text) => JSON.parse(text));

test("alternatives of a filter are typed, read as one sentence, and asked of the server", async () => {
  const user = userEvent.setup();
  const { calls, query, ready } = await openList();
  await ready();
  await user.click(screen.getByRole("button", { name: "Filter" }));
  await user.type(await screen.findByLabelText("Value", undefined, WAIT), "x");
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
  const [, , last] = await screen.findAllByRole("button", { name: /^Remove condition/ }, WAIT);
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
