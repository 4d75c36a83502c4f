import { expect, test } from "@jest/globals";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";

const LEFT = {
  models: [
    { content_type_id: 2, verbose_name: "Links", untouched_count: 2, edited_count: 1 },
    { content_type_id: 5, verbose_name: "Certificates", untouched_count: 15, edited_count: 0 },
  ],
};
const REMOVAL = {
  models: [
    { content_type_id: 2, verbose_name: "Links", removed_count: 2, kept: [{ id: 4, repr: "GitHub" }] },
    { content_type_id: 5, verbose_name: "Certificates", removed_count: 15, kept: [] },
  ],
};

/** A site with sample content; `fails` answers of the removal go wrong first. */
function createServer({ status = 200, fails = 0 } = {}) {
  const state = { removals: 0, isGone: false };
  const server: FakeServer = ({ url }) => {
    if (url.pathname === "/api/admin/sample/") {
      if (status !== 200) return { status, body: { message: "No.", code: "not_found" } };
      return { body: state.isGone ? { models: [] } : LEFT };
    }
    if (url.pathname === "/api/admin/sample/remove/") {
      state.removals++;
      if (state.removals <= fails)
        return { status: 409, body: { message: "Somebody else writes.", code: "conflict" } };
      state.isGone = true;
      return { body: REMOVAL };
    }
    return { status: 404, body: { message: "Not here.", code: "not_found" } };
  };
  return { state, server };
}

const TITLE = "This site shows sample content of an engineer who does not exist";
const findCard = () => screen.findByRole("region", { name: TITLE });
async function ask() {
  await userEvent.click(within(await findCard()).getByRole("button", { name: "Remove sample content" }));
  return screen.findByRole("dialog");
}

test("the question names what goes with its counts, and what stays", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: "/admin/settings", models: [], server });
  const dialog = await ask();
  expect(within(dialog).getByText("Remove 17 sample objects?")).toBeTruthy();
  expect(within(dialog).getByText("Certificates: 15")).toBeTruthy();
  expect(within(dialog).getByText("1 object was edited. It stays and is yours.")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(state.removals).toBe(0);
});

test("a removal says what went and what was kept, until it is closed", async () => {
  const { server } = createServer();
  await renderAdmin({ address: "/admin/settings", models: [], server });
  await userEvent.click(within(await ask()).getByRole("button", { name: "Remove sample content" }));
  const result = await screen.findByRole("region", { name: "The sample content is gone" });
  expect(within(result).getByText("Certificates: 15")).toBeTruthy();
  expect(within(result).getByRole("link", { name: "GitHub" }).getAttribute("href")).toBe(
    "/admin/models/2/objects/4",
  );
  await userEvent.click(within(result).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("region", { name: /sample content/ })).toBeNull();
});

test("two quick clicks remove it once", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: "/admin/settings", models: [], server });
  const remove = within(await ask()).getByRole("button", { name: "Remove sample content" });
  act(() => {
    remove.click();
    remove.click();
  });
  await screen.findByRole("region", { name: "The sample content is gone" });
  expect(state.removals).toBe(1);
});

test("a removal that fails is reported and tried again", async () => {
  const { state, server } = createServer({ fails: 1 });
  await renderAdmin({ address: "/admin/settings", models: [], server });
  await userEvent.click(within(await ask()).getByRole("button", { name: "Remove sample content" }));
  const card = await findCard();
  expect(await within(card).findByText(/Somebody else writes\./)).toBeTruthy();
  await userEvent.click(within(card).getByRole("button", { name: "Retry" }));
  await screen.findByRole("region", { name: "The sample content is gone" });
  expect(state.removals).toBe(2);
});

test.each([403, 404])("where the server answers %d there is no card", async (status) => {
  const { server } = createServer({ status });
  await renderAdmin({ address: "/admin/settings", models: [], server });
  await waitFor(() => expect(screen.queryByRole("region", { name: /sample/i })).toBeNull());
});

test("who may not delete all of it isn't even asked for", async () => {
  const asked: string[] = [];
  await renderAdmin({
    address: "/admin/settings",
    models: [],
    server: ({ url }) => {
      asked.push(url.pathname);
      return { status: 404, body: { message: "Not here.", code: "not_found" } };
    },
    permissions: { isSuperuser: false, accessLevel: 10, can: (permission) => permission !== "delete" },
  });
  expect(asked).not.toContain("/api/admin/sample/");
});
