import { afterEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import { buildModel } from "../views/test-model.ts";

const PERSON = { id: 5, username: "isil", first_name: "Işıl", last_name: "Öztürk" };
const CERTIFICATE = buildModel({ count: 12 });

function buildEntry(part: Partial<ActionEntry> = {}): ActionEntry {
  return {
    id: 1,
    user: PERSON,
    action_type: "UPDATE",
    change_message: "",
    content_type: "Certificate",
    object_repr: "AWS",
    timestamp: new Date(Date.now() - 5 * 60_000).toISOString(),
    ip_address: null,
    detail: null,
    content_type_id: 7,
    object_id: "3",
    changes: {},
    ...part,
  };
}

const ANSWER: DashboardAnswer = {
  stats: {
    total_users: 1284,
    total_actions: 90_210,
    available_models: 15,
    uptime: 0.99954,
    new_users: { value: 46, trend: 0.183 },
    new_actions: { value: 12, trend: -0.07 },
  },
  recent_actions: [],
  available_models: [],
  activity: Array.from({ length: 30 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 9, index + 1)).toISOString().slice(0, 10),
    actions: index,
    sign_ups: 1,
  })),
};

const serve =
  (part: Partial<DashboardAnswer> = {}): FakeServer =>
  () => ({ body: { ...ANSWER, ...part } });

async function open(server: FakeServer, lang: "en" | "tr" = "en") {
  const { router } = await renderAdmin({ address: "/admin", models: [CERTIFICATE], server, lang });
  return router;
}

const findCard = async (label: string) => {
  const card = (await screen.findByRole("heading", { name: label })).closest("li");
  if (!card) throw new Error(`${label} is no card`);
  return card;
};
const findPanel = (name: string) => screen.findByRole("region", { name });

afterEach(cleanup);

test("the cards show measured figures and how they moved", async () => {
  await open(serve());
  expect((await findCard("Total Users")).textContent).toContain("1,28446 new in 30 days 18% more than");
  expect((await findCard("Total Actions")).textContent).toContain("7% fewer than in the 30 days before");
  expect((await findCard("Available Models")).textContent).toContain("15");
  expect((await findCard("Uptime")).textContent).toContain("99.95%");
  expect(document.title).toBe("Dashboard · Admin Panel");
});

test("an estimate is marked as lists mark it", async () => {
  await open(serve({ stats: { ...ANSWER.stats, total_actions_is_estimate: true } }));
  expect((await findCard("Total Actions")).textContent).toContain("~90,210");
  expect((await findCard("Total Users")).textContent).not.toContain("~");
});

test("a card without enough records says so", async () => {
  const stats = { ...ANSWER.stats, uptime: null, new_users: { value: 1, trend: null } };
  await open(serve({ stats }));
  expect((await findCard("Total Users")).textContent).toContain("Too little data for a trend");
  expect((await findCard("Uptime")).textContent).toContain("–Too little data: it takes an hour of records");
});

test("recent actions say who, what, when and where, and lead to the object", async () => {
  await open(serve({ recent_actions: [buildEntry({ change_message: "Tidied up" })] }));
  const panel = within(await findPanel("Recent actions"));
  expect(panel.getByText("Işıl Öztürk")).toBeTruthy();
  expect(panel.getByText("5 minutes ago")).toBeTruthy();
  expect(panel.getByText("Tidied up")).toBeTruthy();
  expect(panel.getByText("Certificate")).toBeTruthy();
  const link = await panel.findByRole("link", { name: "AWS" });
  expect(link.getAttribute("href")).toBe("/admin/models/7/objects/3");
});

test("an action of nobody, without words, says Unknown and No description", async () => {
  await open(serve({ recent_actions: [buildEntry({ user: null, action_type: "VIEW" })] }));
  const panel = within(await findPanel("Recent actions"));
  expect(panel.getByText("Unknown")).toBeTruthy();
  expect(panel.getByText("No description")).toBeTruthy();
});

test("a refused log-in is not said to be one", async () => {
  await open(
    serve({ recent_actions: [buildEntry({ user: null, action_type: "LOGIN", detail: "failed_sign_in" })] }),
  );
  const panel = await findPanel("Recent actions");
  expect(panel.textContent).not.toContain("Logged in");
  expect(panel.textContent).not.toContain("No description");
});

test("a deleted object is no link, neither where it was deleted nor before", async () => {
  const deletion = buildEntry({ id: 2, action_type: "DELETE" });
  await open(
    serve({
      recent_actions: [deletion, buildEntry(), buildEntry({ id: 0, object_id: "4", object_repr: "GCP" })],
    }),
  );
  const panel = within(await findPanel("Recent actions"));
  expect(await panel.findByRole("link", { name: "GCP" })).toBeTruthy();
  expect(panel.queryByRole("link", { name: "AWS" })).toBeNull();
});

test("six models at most are shown with their size, and common ones can be made at once", async () => {
  const models = Array.from({ length: 8 }, (_, index) =>
    buildModel({
      content_type_id: 8 + index,
      verbose_name_plural: `Kind ${index}`,
      verbose_name: `One ${index}`,
    }),
  );
  await open(serve({ available_models: [CERTIFICATE, ...models] }));
  const panel = within(await findPanel("Available models"));
  expect(panel.getAllByRole("listitem")).toHaveLength(6);
  expect(panel.getByRole("link", { name: "Certificates 12 objects Medium" }).getAttribute("href")).toBe(
    "/admin/models/7",
  );
  const quick = within(await findPanel("Quick actions"));
  expect(quick.getByRole("link", { name: "New: Certificate" }).getAttribute("href")).toBe(
    "/admin/models/7/objects/new",
  );
  expect(quick.getByRole("link", { name: "Add User" }).getAttribute("href")).toBe("/admin/users/new");
});

test("activity has its number, its period and the same as a table", async () => {
  const user = userEvent.setup();
  await open(serve());
  const panel = within(await findPanel("Activity"));
  expect(panel.getByRole("img", { name: "Actions, last 30 days: between 0 and 29, last 29." })).toBeTruthy();
  expect(panel.getByText("435")).toBeTruthy();
  const [summary] = panel.getAllByText("Show as table");
  if (summary) await user.click(summary);
  // jsdom has no toggle event of its own.
  const details = summary?.closest("details");
  act(() => void details?.dispatchEvent(new Event("toggle")));
  const table = await panel.findByRole("table");
  expect(within(table).getAllByRole("row")).toHaveLength(31);
});

test("a dashboard that can't be had says Dashboard error, and can be tried again", async () => {
  const user = userEvent.setup();
  let isOpen = false;
  await open((call) => (isOpen ? serve()(call) : { status: 403, body: { message: "Not for you" } }));
  expect((await screen.findByRole("alert")).textContent).toContain("Dashboard errorNot for you");
  isOpen = true;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await findCard("Total Users")).toBeTruthy();
});

test("figures stay when a refresh fails, and say that they are old", async () => {
  const user = userEvent.setup();
  let isOpen = true;
  await open((call) => (isOpen ? serve()(call) : { status: 403, body: { message: "Not for you" } }));
  await findCard("Total Users");
  isOpen = false;
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByText("These figures could not be brought up to date.")).toBeTruthy();
  expect((await findCard("Total Users")).textContent).toContain("1,284");
});

test("a site where nothing happened yet says so, in Turkish as well", async () => {
  await open(serve({ activity: [] }), "tr");
  expect(await screen.findByText("Henüz işlem yok")).toBeTruthy();
  expect(screen.getByText("30 günde 46 yeni")).toBeTruthy();
});
