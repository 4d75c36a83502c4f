import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { toDaysStart } from "#contract/content/lists.ts";
import type { MailAlarm, MailHoldAnswer } from "#contract/mail/health.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { type FakeServer, renderAdmin } from "../../test-admin.tsx";
import { createFakeTopics } from "../../test-topics.ts";

describe("monitoring page", () => {
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
    unread: 0,
    targets: [],
    test: null,
  };
  const EXPORT = "/api/admin/models/12/objects/export/";
  const QUIET = { alarms: [], is_held: false, held: 0, unreachable: [], returned: [] };

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
      // Held until the end of the test.
      if (body instanceof Promise) return body;
      return body === undefined ? { status: 404, body: {} } : { body };
    };
    const { router } = await renderAdmin({ address, models: [], server, ...rest });
    return { router, asked, answers, user: setUpDrawnUser() };
  }

  const card = async (name: string) => {
    const found = (await screen.findByRole("heading", { name, level: 2 })).closest("li");
    if (!found) throw new Error(`${name} is no card`);
    return within(found);
  };
  const panel = (name: string) => screen.findByRole("region", { name });

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
    expect(within(await panel("Detailed statistics")).getByText("At least 20")).toBeTruthy();
    const domains = within(await panel("Recipients' domains"));
    expect(domains.getByRole("cell", { name: "At least 10" })).toBeTruthy();
    expect(domains.getByRole("img", { name: /^Recipients' domains/ })).toBeTruthy();
    expect((await card("Delivery rate")).getByText(/accepted by the next server/)).toBeTruthy();
    const charts = within(await panel("Rates over time"));
    expect(charts.getAllByRole("figure")).toHaveLength(1);
    expect(await screen.findByText("Nobody reports to this site what became of its mail")).toBeTruthy();
  });

  test("where nobody reports and nothing is known, no part of the page says 0", async () => {
    const counts = { ...COUNTS, delivered: 0, open: 250, bounced: 0 };
    const series = {
      days: SERIES.days.map(({ date }) => ({ date, ...counts })),
      domains: [{ domain: "example.org", ...counts }],
    };
    const stats = { ...UNREPORTED, total_bounced: 0, hard_bounced: 0, total_rejected: 2 };
    const { user } = await open({
      own: { "/api/mail/stats/": { success: true, data: stats }, "/api/mail/stats/series/": series },
    });
    expect((await card("Bounce rate")).queryByText(/0/)).toBeNull();
    expect(
      screen.getByText("Can't be judged in full. Not known: Bounce rate and Complaint rate."),
    ).toBeTruthy();
    const details = within(await panel("Detailed statistics"));
    expect(details.getAllByText("Not known")).toHaveLength(4);
    expect(details.queryByText("0")).toBeNull();
    const domains = within(await panel("Recipients' domains"));
    const row = within(domains.getByRole("row", { name: /example\. ?org/ }));
    expect(row.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
      "250",
      "250",
      "–Not known",
      "–Not known",
    ]);
    expect(domains.getByText(/Nobody reports returned mail to this site\./)).toBeTruthy();
    const volume = within(await panel("Mails by what became of them"));
    await user.click(volume.getByText("Show as table"));
    const table = within(await volume.findByRole("table"));
    expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Day (UTC)",
      "Accepted by the next server",
    ]);
  });

  test("a domain is marked only where the cards would call it poor", async () => {
    const domains = [
      { domain: "few.example", ...COUNTS, sent: 20, delivered: 10, bounced: 10, complained: 1 },
      { domain: "many.example", ...COUNTS, sent: 400, delivered: 300, bounced: 100 },
    ];
    await open({ own: { "/api/mail/stats/series/": { ...SERIES, domains } } });
    const found = within(await panel("Recipients' domains"));
    const cells = (name: RegExp) =>
      within(found.getByRole("row", { name }))
        .getAllByRole("cell")
        .map(({ textContent }) => textContent);
    expect(cells(/few/)).toEqual(["20", "10", "10", "1"]);
    expect(cells(/many/)).toEqual(["400", "300", "100: Above the limit", "0"]);
  });

  test("Export Data downloads the period's mails from the server, and can be cancelled", async () => {
    const { asked, user } = await open({
      address: `${ADDRESS}?days=7`,
      permissions: { isSuperuser: false, accessLevel: 10, can: () => true, findContentType: () => 12 },
      own: { [EXPORT]: new Promise(() => {}) },
    });
    const quick = within(await panel("Quick actions"));
    await user.click(await quick.findByRole("button", { name: "Export Data" }));
    expect(await quick.findByRole("button", { name: "Cancel export" })).toBeTruthy();
    const url = new URL(asked.find((one) => one.startsWith(EXPORT)) ?? "", "https://x.test");
    const start = toDaysStart(7, Date.now()).toISOString();
    expect(JSON.parse(url.searchParams.get("where") ?? "")).toEqual({
      or: ["created_at", "handed_over_at"].map((field) => ({ field, operator: "gte", value: start })),
    });
    expect(url.searchParams.get("columns")?.split(",")).toEqual(
      expect.arrayContaining([
        "created_at",
        "handed_over_at",
        "kind",
        "recipient",
        "delivery_state",
        "failure_reason",
      ]),
    );
  });

  test("who may not see the mails has no button that exports them", async () => {
    await open({
      permissions: { isSuperuser: false, accessLevel: 10, can: () => false, findContentType: () => 12 },
    });
    const quick = within(await panel("Quick actions"));
    await quick.findByRole("button", { name: "Figures as CSV" });
    expect(quick.queryByRole("button", { name: "Export Data" })).toBeNull();
  });

  test("the period stands in the address, and one that is none is the usual one", async () => {
    const { router, asked, user } = await open({ address: `${ADDRESS}?days=7` });
    await card("Bounce rate");
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "7 days" }).checked).toBe(true);
    expect(asked).toContain("/api/mail/stats/?days=7");
    await user.click(screen.getByRole("radio", { name: "90 days" }));
    expect(router.state.location.search).toBe("?days=90");
    await waitFor(() => expect(asked).toContain("/api/mail/stats/series/?days=90"));
    await user.click(screen.getByRole("radio", { name: "30 days" }));
    expect(router.state.location.search).toBe("");
    cleanup();
    const other = await open({ address: `${ADDRESS}?days=365` });
    await card("Bounce rate");
    expect(other.asked).toContain("/api/mail/stats/?days=30");
  });

  test("statistics that can't be had say so, and can be asked for again; the latest mails stay", async () => {
    const { answers, user } = await open({ own: { "/api/mail/stats/": 403 } });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Error Loading Data");
    expect(alert.textContent).toContain("Failed to load email statistics");
    expect(alert.textContent).toContain("Not now");
    expect(await screen.findByText("550 5.1.1 No such user")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Export Data" })).toBeNull();
    answers["/api/mail/stats/"] = ANSWERS["/api/mail/stats/"];
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect((await card("Bounce rate")).getByText("2.40%")).toBeTruthy();
  });

  test("activity that can't be had is an error and no empty list, in Turkish as well", async () => {
    await open({ own: { "/api/mail/dashboard/": 403 }, lang: "tr" });
    const recent = within(await panel("Son etkinlikler"));
    const alert = await recent.findByRole("alert");
    expect(alert.textContent).toContain("Veriler yüklenemedi");
    expect(alert.textContent).toContain("Son etkinlikler yüklenemedi");
  });

  test("no mails yet are said in the documented words", async () => {
    await open({
      own: { "/api/mail/dashboard/": { recent_activity: { deliveries: [], bounces: [], complaints: [] } } },
    });
    expect(await screen.findByText("No recent email activity to display.")).toBeTruthy();
  });

  test("a back end without series, ways in and alarms shows the rest alone", async () => {
    await open({
      own: { "/api/mail/stats/series/": 404, "/api/mail/sources/": 404, "/api/mail/hold/": 404 },
    });
    await card("Bounce rate");
    await screen.findByText("550 5.1.1 No such user");
    await waitFor(() => expect(document.querySelector(".chart-plot-skeleton")).toBeNull());
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByRole("heading", { name: "Does anybody report to us?" })).toBeNull();
  });

  test("a mail opens over the figures at its own address, and closing gives the focus back", async () => {
    const { router, user } = await open({ address: `${ADDRESS}?days=7` });
    const link = await screen.findByRole("link", { name: /ada/ });
    await user.click(link);
    expect(router.state.location.pathname).toBe(`${ADDRESS}/41`);
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("550 5.1.1 No such user")).toBeTruthy();
    expect(dialog.getByText("Not reported")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(router.state.location.pathname + router.state.location.search).toBe(`${ADDRESS}?days=7`);
    await waitFor(() => expect(document.activeElement).toBe(link));
  });

  test("the address of a mail survives a reload, also of one that is older than the list", async () => {
    await open({
      address: `${ADDRESS}/7`,
      permissions: { isSuperuser: true, accessLevel: 999, can: () => true, findContentType: () => 12 },
    });
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("This mail is no longer among the latest")).toBeTruthy();
    expect(dialog.getByRole("link", { name: "Record of this mail" }).getAttribute("href")).toBe(
      "/admin/models/12/objects/7",
    );
  });

  test("quick actions lead to the models and the lists, and hand over a file", async () => {
    const { user } = await open();
    const quick = within(await panel("Quick actions"));
    expect(quick.getByRole("link", { name: "Admin Panel" }).getAttribute("href")).toBe(
      "/admin/mail_service/",
    );
    expect(quick.getByRole("link", { name: "Email Bounces" }).getAttribute("href")).toBe(
      "/admin/email-bounces",
    );
    // The link is in no page: its click is received at its prototype. jsdom has no addresses of files.
    const saved: string[] = [];
    const { createObjectURL, revokeObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL() {} });
    HTMLAnchorElement.prototype.click = function record() {
      saved.push(this.download);
    };
    await user.click(await quick.findByRole("button", { name: "Figures as CSV" }));
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
    await topics.publish("admin:mail.message", {});
    await waitFor(async () => expect((await card("Bounce rate")).getByText("2.60%")).toBeTruthy());
  });
});

describe("alarm banner", () => {
  const HOLD_API = "/api/mail/hold/";
  const HELD: MailHoldAnswer = {
    alarms: [
      {
        id: 3,
        kind: "bounces",
        began_at: "2026-11-24T10:00:00.000Z",
        count: 31,
        total: 400,
        days: 7,
        rate: 7.75,
        limit: 5,
        mailed_at: null,
        holds: true,
      },
      {
        id: 2,
        kind: "complaints",
        began_at: "2026-11-24T09:00:00.000Z",
        count: 4,
        total: 60,
        days: 7,
        rate: null,
        limit: null,
        mailed_at: null,
        holds: true,
      },
    ],
    is_held: true,
    held: 12,
    unreachable: ["owner@example.org"],
    returned: ["ada@example.org"],
  };
  const QUIET: MailHoldAnswer = { alarms: [], is_held: false, held: 0, unreachable: [], returned: [] };

  async function open(
    hold: MailHoldAnswer | number,
    { address = "/admin/email-monitoring", level = 999 } = {},
  ) {
    const state = { hold };
    const asked: string[] = [];
    await renderAdmin({
      address,
      models: [],
      permissions: { isSuperuser: level === 999, accessLevel: level, can: () => true },
      server({ method, url }) {
        asked.push(`${method} ${url.pathname}`);
        if (!url.pathname.startsWith(HOLD_API)) return { status: 404, body: {} };
        if (method === "POST") state.hold = QUIET;
        return typeof state.hold === "number"
          ? { status: state.hold, body: { message: "Not now" } }
          : { body: state.hold };
      },
    });
    return { asked, user: setUpDrawnUser() };
  }

  const TITLE = "Mail needs attention";
  const findBanner = async () => {
    const found = (await screen.findByText(TITLE)).closest<HTMLElement>("[role=alert]");
    if (!found) throw new Error("the banner is no alert");
    return within(found);
  };

  afterEach(cleanup);

  test("a restored site says that its mail waits, and lets it be sent or discarded", async () => {
    const restored = { ...HELD.alarms[1], kind: "restore", count: 3, total: 3, days: 1 } as const;
    const { asked, user } = await open({ ...QUIET, alarms: [restored as MailAlarm], is_held: true, held: 3 });
    const banner = await findBanner();
    expect(banner.getByText(/^This site was restored from a backup\./)).toBeTruthy();
    expect(banner.getByRole("button", { name: "Release" })).toBeTruthy();
    await user.click(banner.getByRole("button", { name: "Discard" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Discard 3 mails that wait?" }));
    await user.click(dialog.getByRole("button", { name: "Discard" }));
    await waitFor(() => expect(asked).toContain("POST /api/mail/hold/discard/"));
    await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull());
  });

  test("an alarm says what rose above which limit, what waits, and whom it doesn't reach", async () => {
    await open(HELD);
    const banner = await findBanner();
    expect(
      banner.getByText("Returned mail is above its limit: 7.75% in 7 days (31 of 400); at most 5% is good."),
    ).toBeTruthy();
    expect(banner.getByText("Too many complaints: 4 of 60 mails in 7 days.")).toBeTruthy();
    expect(banner.getByText(/^12 mails wait until you release them/)).toBeTruthy();
    expect(banner.getByText(/No alarm reaches owner@example.org/)).toBeTruthy();
    expect(banner.getByRole("link", { name: "ada@example.org" })).toBeTruthy();
  });

  test("what waits is released after a yes, and the alarm is gone", async () => {
    const { asked, user } = await open(HELD);
    const banner = await findBanner();
    await user.click(banner.getByRole("button", { name: "Release" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("Release 12 mails and end the alarm?")).toBeTruthy();
    expect(asked.filter((call) => call.startsWith("POST"))).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Release" }));
    await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull());
    expect(asked.filter((call) => call.startsWith("POST"))).toEqual([`POST ${HOLD_API}release/`]);
  });

  test.each(["/admin/email-bounces", "/admin/email-complaints", "/admin"])(
    "%s shows it in short",
    async (address) => {
      await open(HELD, { address });
      const banner = await findBanner();
      expect(banner.getByRole("link", { name: "Email Monitoring" })).toBeTruthy();
      expect(banner.queryByText(/owner@example.org/)).toBeNull();
    },
  );

  test("staff whom no alarm reaches are named without an alarm as well", async () => {
    await open({ ...QUIET, unreachable: ["owner@example.org"] });
    expect(await screen.findByText("Some staff get no alarms")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Release" })).toBeNull();
  });

  test.each(["/admin/email-monitoring", "/admin/email-bounces", "/admin"])(
    "%s names staff whose mail came back, with the way to what is known of it",
    async (address) => {
      await open({ ...QUIET, returned: ["ada@example.org", "eve@example.org"] }, { address });
      const title = await screen.findByText("Mail to staff came back");
      const banner = title.closest<HTMLElement>("[role=note]");
      const links = within(banner ?? document.body).getAllByRole("link");
      expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
        ["ada@example.org", "/admin/email-timeline?email=ada%40example.org"],
        ["eve@example.org", "/admin/email-timeline?email=eve%40example.org"],
      ]);
      expect(screen.queryByRole("button", { name: "Release" })).toBeNull();
    },
  );

  test("alarms that can't be read are an error here, and nothing elsewhere", async () => {
    await open(403);
    expect(await screen.findByText("Failed to load alarms")).toBeTruthy();
    cleanup();
    const { asked } = await open(403, { address: "/admin/email-bounces" });
    await waitFor(() => expect(asked).toContain(`GET ${HOLD_API}`));
    expect(screen.queryByText("Failed to load alarms")).toBeNull();
  });

  test("who is below level 10 is not asked for alarms", async () => {
    const { asked } = await open(HELD, { address: "/admin/email-bounces", level: 5 });
    await screen.findByRole("heading", { level: 1 });
    expect(asked).not.toContain(`GET ${HOLD_API}`);
  });

  test.each([
    ["an error where a rate is beyond its limit", HELD.alarms, "ant-alert-error"],
    ["a warning of too few mails for a rate", HELD.alarms.slice(1), "ant-alert-warning"],
  ])("the banner is %s", async (_what, alarms, name) => {
    await open({ ...HELD, alarms });
    const banner = (await screen.findByText(TITLE)).closest("[role=alert]");
    expect(banner?.className).toContain(name);
  });
});
