import { afterEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { sortAlsoBy, sortBy } from "./columns/sort-select.tsx";
import { openList, WAIT } from "./test-list.ts";

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
  const options = await screen.findAllByText(
    "Descending",
    { selector: ".ant-select-item-option-content" },
    WAIT,
  );
  fireEvent.click(options[0] as HTMLElement);
  await waitFor(() => expect(query().getAll("sort")).toEqual(["-label", "-issuer"]));
  await user.click(screen.getByRole("button", { name: "Remove sort: The issuer" }));
  await waitFor(() => expect(query().getAll("sort")).toEqual(["-label"]));
});

test("the sort control adds a sort", async () => {
  const { query, ready } = await openList({ address: "/admin/models/7?sort=label" });
  await ready();
  fireEvent.mouseDown(screen.getByRole("combobox", { name: "Then by" }));
  fireEvent.click(
    await screen.findByText("The grade", { selector: ".ant-select-item-option-content" }, WAIT),
  );
  await waitFor(() => expect(query().getAll("sort")).toEqual(["label", "grade"]));
});
