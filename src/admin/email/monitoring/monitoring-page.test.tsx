import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { type FakeServer, renderAdmin } from "../../test-admin.tsx";
import { createFakeTopics } from "../../test-topics.ts";

const WAIT = { timeout: 60_000 };
const ADDRESS = "/admin/email-monitoring";
const STATS = {
  total_sent: 500,
  total_delivered: 470,
  total_bounced: 20,
  total_complained: 0,
  total_rejected: 1,
  delivery_rate: 97.92,
  bounce_rate: 2.4,
  complaint_rate: 0,
  hard_bounced: 12,
  settled: 480,
  delivered_is_accepted: false,
};
const UNREPORTED = {
  ...STATS,
  total_complained: null,
  bounce_rate: null,
  complaint_rate: null,
  delivered_is_accepted: true,
};
const COUNTS = { sent: 250, delivered: 240, bounced: 10, complained: 0, rejected: 0, open: 0 };
const SERIES = {
  days: [
    { date: "2026-11-23", ...COUNTS },
    { date: "2026-11-24", ...COUNTS },
  ],
  domains: [{ domain: "example.org", ...COUNTS, sent: 500 }],
};
const MAIL = {
  id: 41,
  email: "ada@example.org",
  status: "bounced",
  timestamp: "2026-11-24T10:00:00.000Z",
  sent_at: "2026-11-24T09:59:00.000Z",
  delivered_at: null,
  failure_reason: "550 5.1.1 No such user",
};
const SOURCES = {
  sources: [
    {
      name: "outbox",
      is_set_up: true,
      tells_deliveries: false,
      tells_complaints: false,
      webhook_url: null,
      last_event_at: null,
      refused_at: null,
      refusal: null,
      confirmation: null,
      unreadable: 0,
      first_unreadable_id: null,
    },
  ],
  targets: [],
  test: null,
};
const QUIET = { alarms: [], is_held: false, held: 0, unreachable: [] };

type Bodies = Record<string, unknown>;
const ANSWERS: Bodies = {
  "/api/mail/stats/": { success: true, data: STATS },
  "/api/mail/stats/series/": SERIES,
  "/api/mail/dashboard/": { recent_activity: { deliveries: [MAIL], bounces: [], complaints: [] } },
  "/api/mail/sources/": SOURCES,
  "/api/mail/hold/": QUIET,
};

/** The screen over these answers; a number is a refusal with this status. */
async function open({
  address = ADDRESS,
  own = {},
  ...rest
}: { address?: string; own?: Bodies } & Partial<Parameters<typeof renderAdmin>[0]> = {}) {
  const asked: string[] = [];
  const answers = { ...ANSWERS, ...own };
  const server: FakeServer = ({ url }) => {
    asked.push(url.pathname + url.search);
    const body = answers[url.pathname];
    if (typeof body === "number") return { status: body, body: { message: "Not now" } };
    return body === undefined ? { status: 404, body: {} } : { body };
  };
  const { router } = await renderAdmin({ address, models: [], server, ...rest });
  return { router, asked, answers, user: setUpDrawnUser() };
}

const card = async (name: string) => {
  const found = (await screen.findByRole("heading", { name, level: 2 }, WAIT)).closest("li");
  if (!found) throw new Error(`${name} is no card`);
  return within(found);
};
const panel = (name: string) => screen.findByRole("region", { name }, WAIT);

afterEach(cleanup);

test("each rate has its counts, its limit, what it likely is, and its state in words", async () => {
  await open();
  const bounce = await card("Bounce rate");
  expect(bounce.getByText("2.40%")).toBeTruthy();
  expect(bounce.getByText("Good")).toBeTruthy();
  expect(bounce.getByText(/^12 of 500/)).toBeTruthy();
  expect(bounce.getByText("At most 5%")).toBeTruthy();
  expect(bounce.getByText("Likely between 1.38% and 4.15%")).toBeTruthy();
  expect(bounce.getByText("8 temporary returns are not counted.")).toBeTruthy();
  expect((await card("Complaint rate")).getByText(/Gmail reports no complaints/)).toBeTruthy();
  expect((await card("Sent")).getByText("500")).toBeTruthy();
  expect(screen.getByText("All rates are within their limits.")).toBeTruthy();
});

test("what nobody reports is not known, in the cards, the list and the charts, and never 0", async () => {
  await open({ own: { "/api/mail/stats/": { success: true, data: UNREPORTED } } });
  const complaint = await card("Complaint rate");
  expect(complaint.getByText("Not known")).toBeTruthy();
  expect(complaint.queryByText(/0/)).toBeNull();
  const bounce = await card("Bounce rate");
  expect(bounce.getByText("Not known")).toBeTruthy();
  expect(bounce.getByText(/^At least 12 of 500/)).toBeTruthy();
  expect(within(await panel("Detailed statistics")).getAllByText("Not known")).toHaveLength(3);
  expect((await card("Delivery rate")).getByText(/accepted by the next server/)).toBeTruthy();
  const charts = within(await panel("Rates over time"));
  expect(charts.getAllByRole("figure")).toHaveLength(1);
  expect(
    await screen.findByText("Nobody reports to this site what became of its mail", undefined, WAIT),
  ).toBeTruthy();
});

test("the period stands in the address, and one that is none is the usual one", async () => {
  const { router, asked, user } = await open({ address: `${ADDRESS}?days=7` });
  await card("Bounce rate");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "7 days" }).checked).toBe(true);
  expect(asked).toContain("/api/mail/stats/?days=7");
  await user.click(screen.getByRole("radio", { name: "90 days" }));
  expect(router.state.location.search).toBe("?days=90");
  await waitFor(() => expect(asked).toContain("/api/mail/stats/series/?days=90"), WAIT);
  await user.click(screen.getByRole("radio", { name: "30 days" }));
  expect(router.state.location.search).toBe("");
  cleanup();
  const other = await open({ address: `${ADDRESS}?days=365` });
  await card("Bounce rate");
  expect(other.asked).toContain("/api/mail/stats/?days=30");
});

test("statistics that can't be had say so, and can be asked for again; the latest mails stay", async () => {
  const { answers, user } = await open({ own: { "/api/mail/stats/": 403 } });
  const alert = await screen.findByRole("alert", undefined, WAIT);
  expect(alert.textContent).toContain("Error Loading Data");
  expect(alert.textContent).toContain("Failed to load email statistics");
  expect(alert.textContent).toContain("Not now");
  expect(await screen.findByText("550 5.1.1 No such user", undefined, WAIT)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Export Data" })).toBeNull();
  answers["/api/mail/stats/"] = ANSWERS["/api/mail/stats/"];
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect((await card("Bounce rate")).getByText("2.40%")).toBeTruthy();
});

test("activity that can't be had is an error and no empty list, in Turkish as well", async () => {
  await open({ own: { "/api/mail/dashboard/": 403 }, lang: "tr" });
  const recent = within(await panel("Son etkinlikler"));
  const alert = await recent.findByRole("alert", undefined, WAIT);
  expect(alert.textContent).toContain("Veriler yüklenemedi");
  expect(alert.textContent).toContain("Son etkinlikler yüklenemedi");
});

test("no mails yet are said in the documented words", async () => {
  await open({
    own: { "/api/mail/dashboard/": { recent_activity: { deliveries: [], bounces: [], complaints: [] } } },
  });
  expect(await screen.findByText("No recent email activity to display.", undefined, WAIT)).toBeTruthy();
});

test("a back end without series, ways in and alarms shows the rest alone", async () => {
  await open({
    own: { "/api/mail/stats/series/": 404, "/api/mail/sources/": 404, "/api/mail/hold/": 404 },
  });
  await card("Bounce rate");
  await screen.findByText("550 5.1.1 No such user", undefined, WAIT);
  await waitFor(() => expect(document.querySelector(".chart-plot-skeleton")).toBeNull(), WAIT);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByRole("heading", { name: "Does anybody report to us?" })).toBeNull();
});

test("a mail opens over the figures at its own address, and closing gives the focus back", async () => {
  const { router, user } = await open({ address: `${ADDRESS}?days=7` });
  const link = await screen.findByRole("link", { name: /ada/ }, WAIT);
  await user.click(link);
  expect(router.state.location.pathname).toBe(`${ADDRESS}/41`);
  const dialog = within(await screen.findByRole("dialog", undefined, WAIT));
  expect(await dialog.findByText("550 5.1.1 No such user", undefined, WAIT)).toBeTruthy();
  expect(dialog.getByText("Not reported")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Close" }));
  expect(router.state.location.pathname + router.state.location.search).toBe(`${ADDRESS}?days=7`);
  await waitFor(() => expect(document.activeElement).toBe(link), WAIT);
});

test("the address of a mail survives a reload, also of one that is older than the list", async () => {
  await open({
    address: `${ADDRESS}/7`,
    permissions: { isSuperuser: true, accessLevel: 999, can: () => true, findContentType: () => 12 },
  });
  const dialog = within(await screen.findByRole("dialog", undefined, WAIT));
  expect(await dialog.findByText("This mail is no longer among the latest", undefined, WAIT)).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Record of this mail" }).getAttribute("href")).toBe(
    "/admin/models/12/objects/7",
  );
});

test("quick actions lead to the models and the lists, and hand over a file", async () => {
  const { user } = await open();
  const quick = within(await panel("Quick actions"));
  expect(quick.getByRole("link", { name: "Admin Panel" }).getAttribute("href")).toBe("/admin/mail_service/");
  expect(quick.getByRole("link", { name: "Email Bounces" }).getAttribute("href")).toBe(
    "/admin/email-bounces",
  );
  // The link is in no page: its click is heard at its prototype. jsdom has no addresses of files.
  const saved: string[] = [];
  const { createObjectURL, revokeObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL() {} });
  HTMLAnchorElement.prototype.click = function record() {
    saved.push(this.download);
  };
  await user.click(await quick.findByRole("button", { name: "Export Data" }, WAIT));
  HTMLAnchorElement.prototype.click = click;
  Object.assign(URL, { createObjectURL, revokeObjectURL });
  expect(saved).toEqual([expect.stringMatching(/^email-statistics-30-days-\d{4}-\d\d-\d\d\.csv$/)]);
});

test("a mail that changes is seen without asking", async () => {
  const topics = createFakeTopics({ isJoining: false });
  const { answers } = await open({
    socket: { join: topics.join, subscribe: () => () => {}, getStatus: () => "connected", tryNow() {} },
  });
  await card("Bounce rate");
  answers["/api/mail/stats/"] = { success: true, data: { ...STATS, bounce_rate: 2.6, hard_bounced: 13 } };
  await topics.tell("admin:mail.message", {});
  await waitFor(async () => expect((await card("Bounce rate")).getByText("2.60%")).toBeTruthy(), WAIT);
});
