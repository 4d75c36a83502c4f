import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { openList, WAIT } from "./test-list.ts";

afterEach(cleanup);

const TWO = "/admin/models/7?filter=label:contains:a&filter=issuer:exact:ACME";

test("several filters read as sentences; each is changed, removed and added on its own", async () => {
  const user = userEvent.setup();
  const { query, ready } = await openList({ address: TWO });
  await ready();
  const chips = screen.getByRole("list", { name: "Filters" });
  expect(within(chips).getByText(/The label contains “a”/)).toBeTruthy();

  await user.click(within(chips).getByRole("button", { name: /^The issuer is exactly/ }));
  const value = await screen.findByLabelText("Value", undefined, WAIT);
  await user.clear(value);
  await user.type(value, "Bolt");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(query().getAll("filter")).toEqual(["label:contains:a", "issuer:exact:Bolt"]));

  await user.click(screen.getByRole("button", { name: "Add filter" }));
  await user.type(await screen.findByLabelText("Value", undefined, WAIT), "b:c");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(query().getAll("filter")[2]).toBe("label:contains:b:c"));

  await user.click(screen.getByRole("button", { name: "Remove filter: The label contains “a”" }));
  await waitFor(() => expect(query().getAll("filter")).toEqual(["issuer:exact:Bolt", "label:contains:b:c"]));
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
  expect(await screen.findByText("There is no field “nope” here.", undefined, WAIT)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Clear search and filter" }));
  await waitFor(() => expect(query().toString()).toBe(""));
});

test.each([403, 404])(
  "a list that is refused (%i) offers nothing to be done with it",
  async (status) => {
    await openList({ refusal: { status, message: "Not for you" } });
    expect(await screen.findByText("Not for you", undefined, WAIT)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Create New|Export/ })).toBeNull();
    expect(screen.queryByRole("link", { name: "Bulk Operations" })).toBeNull();
    expect(screen.queryByRole("searchbox")).toBeNull();
  },
  30_000,
);
