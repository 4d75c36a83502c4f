import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { HealthAnswer, SendingDomainAnswer } from "#contract/health.ts";
import { type FakeServer, renderAdmin, showOnPhone } from "../test-admin.tsx";
import { toDurationText } from "./use-health-text.ts";

describe("health", () => {
  const ANSWER: HealthAnswer = {
    overall_status: "warning",
    services: {
      database: { status: "healthy", message: "" },
      cache: { status: "warning", message: "Changes are not heard of." },
      file_storage: { status: "critical", message: "Files can't be stored." },
      voice_relay: { status: "healthy", message: "It runs. Open port 3478." },
      "Search index": { status: "unknown", message: "" },
    },
    response_time: 42,
    response_time_trend: "up",
    memory_usage: 183e6,
    memory_trend: "stable",
    disk_usage: 0.236,
    disk_trend: null,
    uptime: 3 * 86_400 + 4 * 3600 + 59,
    server_version: "0.1.0",
    version_check: false,
    python_version: "3.14",
    last_check: "2026-11-22T12:00:00.000Z",
    availability: null,
    history: [0, 5].map((minute) => ({
      time: new Date(Date.UTC(2026, 10, 22, 12, minute)).toISOString(),
      response_time: 40 + minute,
      memory_usage: 180e6,
      disk_usage: 0.95,
    })),
    outbox: { pending: 3, oldest_s: 125 },
    sending_domain: null,
  };

  async function open(server: FakeServer, options: Partial<Parameters<typeof renderAdmin>[0]> = {}) {
    await renderAdmin({ address: "/admin/health", models: [], server, ...options });
  }
  const findCard = async (label: string) => {
    const card = (await screen.findByRole("heading", { name: label })).closest("li");
    if (!card) throw new Error(`${label} is no card`);
    return card;
  };

  afterEach(() => {
    jest.useRealTimers();
    cleanup();
  });

  test("the overall status and every service are shown as a word, with the reason", async () => {
    await open(() => ({ body: ANSWER }));
    expect((await screen.findByRole("region", { name: "Overall status" })).textContent).toContain(
      "WarningSomething needs attention soon.",
    );
    expect((await findCard("Database")).textContent).toContain("Healthy");
    expect((await findCard("Cache")).textContent).toContain("WarningChanges are not heard of.");
    expect((await findCard("File Storage")).textContent).toContain("CriticalFiles can't be stored.");
    // What is healthy may still have something to say.
    expect((await findCard("Voice relay")).textContent).toBe("Voice relayHealthyIt runs. Open port 3478.");
    // A back end may check what Foyer doesn't know.
    expect((await findCard("Search index")).textContent).toContain("Unknown");
  });

  const PROCESSES: HealthAnswer["processes"] = [
    {
      name: "3f1c22aa",
      figures: {
        version: "0.1.0",
        uptime: 65,
        cpu: 0.125,
        event_loop: 0.03,
        memory_usage: 150e6,
        sockets: 12,
      },
    },
    { name: "9b00e1d4", figures: null },
  ];

  test("of several processes each has its row, and who doesn't answer is named", async () => {
    await open(() => ({ body: { ...ANSWER, processes: PROCESSES } }));
    const part = within(await screen.findByRole("region", { name: "Processes" }));
    expect(part.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Process",
      "Version",
      "Uptime",
      "CPU",
      "Event loop busy",
      "Memory",
      "Sockets",
    ]);
    expect(part.getByRole("row", { name: /^3f1c22aa/ }).textContent).toBe(
      "3f1c22aa0.1.01 min 5 sec12.5%3%150 MB12",
    );
    expect(part.getByRole("row", { name: /^9b00e1d4/ }).textContent).toBe("9b00e1d4It does not answer.");
  });

  test("on a phone each process is a card", async () => {
    const showWide = showOnPhone();
    await open(() => ({ body: { ...ANSWER, processes: PROCESSES } }));
    const card = await findCard("3f1c22aa");
    expect(card.textContent).toContain("Memory150 MB");
    expect((await findCard("9b00e1d4")).textContent).toBe("9b00e1d4It does not answer.");
    expect(screen.queryByRole("columnheader", { name: "Event loop busy" })).toBeNull();
    showWide();
  });

  test("one process is not listed", async () => {
    await open(() => ({ body: ANSWER }));
    await screen.findByRole("region", { name: "Overall status" });
    expect(screen.queryByRole("region", { name: "Processes" })).toBeNull();
  });

  test("figures have their unit and their trend, and say where too little is known", async () => {
    await open(() => ({ body: ANSWER }));
    expect((await findCard("Response time")).textContent).toContain("42 ms");
    expect((await findCard("Response time")).textContent).toContain("Up");
    expect((await findCard("Memory usage")).textContent).toContain("183 MB");
    expect((await findCard("Memory usage")).textContent).toContain("Stable");
    expect((await findCard("Disk usage")).textContent).toContain("23.6%");
    expect((await findCard("Disk usage")).textContent).toContain("Too little data for a trend");
    expect((await findCard("Uptime")).textContent).toContain("3 days 4 hr");
    expect((await findCard("Availability")).textContent).toContain("It takes an hour of records");
    expect((await findCard("Waiting mails")).textContent).toContain("The oldest has waited for 2 min 5 sec");
    const versions = within(screen.getByRole("region", { name: "Versions" }));
    expect(versions.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
      "0.1.0",
      "3.14",
    ]);
  });

  describe("a newer version", () => {
    const SEEN: HealthAnswer = { ...ANSWER, version_check: true };
    const LOOK = { name: "Look for a newer version" };

    async function look(outcome: { status?: number; body: unknown }) {
      const user = userEvent.setup();
      let asked = 0;
      await open(({ url }) => {
        if (url.pathname !== "/api/health/version/") return { body: SEEN };
        asked += 1;
        return outcome;
      });
      const versions = within(await screen.findByRole("region", { name: "Versions" }));
      expect(asked).toBe(0);
      await user.click(versions.getByRole("button", LOOK));
      return { user, versions };
    }

    test("is told with the command that installs it, once somebody asks", async () => {
      const { user, versions } = await look({ body: { newer: "v1.2.0" } });
      expect(await versions.findByText(/^v1\.2\.0 is there/)).toBeTruthy();
      await user.click(versions.getByRole("button", { name: "Copy the command" }));
      expect(await navigator.clipboard.readText()).toBe("sudo npm run foyer -- update");
    });

    test("that isn't there is told too", async () => {
      const { versions } = await look({ body: { newer: null } });
      expect((await versions.findByText("There is no newer version.")).closest("[role=status]")).toBeTruthy();
    });

    test("that nobody could ask for is told with the reason, and may be asked for again", async () => {
      const body = { code: "version_unknown", message: "git said: no route" };
      const { versions } = await look({ status: 503, body });
      expect(await versions.findByText(/git said: no route/)).toBeTruthy();
      expect(versions.getByRole("button", LOOK)).toBeTruthy();
    });

    test("can't be asked for where the site is no clone", async () => {
      await open(() => ({ body: ANSWER }));
      await screen.findByRole("region", { name: "Versions" });
      expect(screen.queryByRole("button", LOOK)).toBeNull();
    });
  });

  test("history has its number, its period and its limit", async () => {
    await open(() => ({ body: ANSWER }));
    const part = within(await screen.findByRole("region", { name: "History" }));
    expect(
      part.getByRole("img", { name: "Disk usage, 24-hour average: between 95% and 95%, last 95%." }),
    ).toBeTruthy();
    expect(part.getByText("Warning above 90%")).toBeTruthy();
  });

  test("it asks again every ten seconds, and not while it is paused", async () => {
    jest.useFakeTimers();
    const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    let calls = 0;
    await open(({ url }) => {
      if (url.pathname === "/api/health/") calls += 1;
      return { body: ANSWER };
    });
    const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
    await pass(1000);
    await screen.findByText("Updated 1 second ago");
    const begin = calls;
    await pass(10_000);
    expect(calls).toBe(begin + 1);
    await user.click(screen.getByRole("button", { name: "Pause" }));
    const paused = calls;
    await pass(60_000);
    expect(calls).toBe(paused);
    expect(screen.getByText(/^Paused, updated/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Resume" }));
    await pass(10_000);
    expect(calls).toBeGreaterThan(paused);
  });

  test("a check that fails says its status, and can be tried again", async () => {
    const user = userEvent.setup();
    let isOpen = false;
    await open(() => (isOpen ? { body: ANSWER } : { status: 403, body: { message: "no" } }));
    expect((await screen.findByRole("alert")).textContent).toContain(
      "Failed to load health dataHealth check failed: 403",
    );
    isOpen = true;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await findCard("Database")).toBeTruthy();
  });

  test("the last figures stay while the site can't be asked, and say how old they are", async () => {
    const user = userEvent.setup();
    let isOpen = true;
    await open(() => (isOpen ? { body: ANSWER } : { status: 403, body: { message: "no" } }));
    await findCard("Database");
    isOpen = false;
    await user.click(screen.getByRole("button", { name: "Refresh" }));
    expect(await screen.findByText(/^These figures are from /)).toBeTruthy();
    expect(await findCard("Database")).toBeTruthy();
  });

  test("without a session nothing is asked", async () => {
    const calls: string[] = [];
    const session = {
      subscribe: () => () => {},
      getAuthState: () => null,
      signIn: () => Promise.reject(new Error("unused")),
      restore: async () => null,
    };
    await open(
      ({ url }) => {
        calls.push(url.pathname);
        return { body: ANSWER };
      },
      { session },
    );
    expect(await screen.findByText("No access token available")).toBeTruthy();
    expect(calls).not.toContain("/api/health/");
  });

  test("the admin data cache shows its entries and hit rate, renewed every two seconds", async () => {
    const user = userEvent.setup();
    await open(() => ({ body: ANSWER }));
    const part = within(await screen.findByRole("region", { name: "Admin data cache" }));
    const values = () => part.getAllByRole("definition").map(({ textContent }) => textContent);
    await waitFor(() => expect(values()).toEqual(["2 of at most 100", "0", "1", "0%"]));
    await user.click(screen.getByRole("link", { name: "Models" }));
    await screen.findByText("No models available");
    await user.click(screen.getByRole("link", { name: "Health" }));
    const again = within(await screen.findByRole("region", { name: "Admin data cache" }));
    expect(again.getByText("3 of at most 100")).toBeTruthy();
  });

  test.each([
    [0, "en", "0 sec"],
    [59, "tr", "59 sn."],
    [3600, "en", "1 hr"],
    [90_061, "tr", "1 gün 1 sa."],
  ])("%d seconds are in %s: %s", (seconds, lang, text) => {
    expect(toDurationText(seconds, lang)).toBe(text);
  });
});

describe("domain part", () => {
  const VALUE = "v=DMARC1; p=none; rua=mailto:postmaster@example.org";

  const DOMAIN: SendingDomainAnswer = {
    domain: "example.org",
    checked_at: new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString(),
    is_checking: false,
    findings: [
      {
        check: "spf",
        state: "good",
        message: "The SPF record is fine.",
        found: "v=spf1 ~all",
        publish: null,
      },
      {
        check: "dmarc",
        state: "warning",
        message: "There is no DMARC record.",
        found: "v=DMARC1",
        publish: { name: "_dmarc.example.org", type: "TXT", value: VALUE },
      },
      { check: "ptr", state: "unknown", message: "It can't be seen.", found: null, publish: null },
    ],
  };

  const toHealth = (domain: SendingDomainAnswer | null): HealthAnswer => ({
    overall_status: "warning",
    services: { sending_domain: { status: "warning", message: "Needs attention: DMARC." } },
    response_time: null,
    response_time_trend: null,
    memory_usage: 1,
    memory_trend: null,
    disk_usage: null,
    disk_trend: null,
    uptime: 1,
    server_version: "0.1.0",
    version_check: false,
    last_check: "2026-11-22T12:00:00.000Z",
    availability: null,
    history: [],
    outbox: null,
    sending_domain: domain,
  });

  const open = (server: FakeServer, lang: "en" | "tr" = "en") =>
    renderAdmin({ address: "/admin/health", models: [], server, lang });
  const findPart = async (name = "Sending domain: example.org") =>
    within(await screen.findByRole("region", { name }));

  afterEach(cleanup);

  test("each finding has its word and its sentence, and what is missing its record", async () => {
    await open(() => ({ body: toHealth(DOMAIN) }));
    const part = await findPart();
    expect(part.getByText("3 hours ago")).toBeTruthy();
    expect(part.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "SPFHealthyThe SPF record is fine.",
      `DMARCWarningThere is no DMARC record.Foundv=DMARC1TypeTXTName_dmarc.example.orgValue${VALUE}`,
      "PTRUnknownIt can't be seen.",
    ]);
    expect(screen.getByRole("heading", { name: "Sending domain", level: 3 })).toBeTruthy();
  });

  test("name and value are copied as they stand", async () => {
    const user = userEvent.setup();
    await open(() => ({ body: toHealth(DOMAIN) }), "tr");
    const part = await findPart("Gönderen alan adı: example.org");
    await user.click(part.getByRole("button", { name: "DMARC kaydının değerini kopyala" }));
    expect(await part.findByText("Kopyalandı")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(VALUE);
    await user.click(part.getByRole("button", { name: "DMARC kaydının adını kopyala" }));
    await waitFor(() => expect(part.getAllByText("Kopyalandı")).toHaveLength(2));
    expect(await navigator.clipboard.readText()).toBe("_dmarc.example.org");
  });

  test("it is looked up again, and what is found then is shown", async () => {
    const user = userEvent.setup();
    let domain = DOMAIN;
    await open(({ method }) => {
      if (method === "POST") domain = { ...DOMAIN, is_checking: true, findings: [] };
      return { body: method === "POST" ? domain : toHealth(domain) };
    });
    const part = await findPart();
    await user.click(part.getByRole("button", { name: "Check again" }));
    expect(await part.findByText("Looking up…")).toBeTruthy();
    domain = { ...DOMAIN, findings: DOMAIN.findings.slice(0, 1) };
    expect(await part.findByText("The SPF record is fine.")).toBeTruthy();
    expect(part.queryByText("There is no DMARC record.")).toBeNull();
  });

  test("too soon is said, and the findings stay", async () => {
    const user = userEvent.setup();
    await open(({ method }) =>
      method === "POST"
        ? { status: 429, body: { code: "too_many_requests", message: "Too many requests." } }
        : { body: toHealth(DOMAIN) },
    );
    const part = await findPart();
    await user.click(part.getByRole("button", { name: "Check again" }));
    expect(await screen.findByText("The sending domain can't be checked again yet")).toBeTruthy();
    expect(part.getByText("There is no DMARC record.")).toBeTruthy();
  });

  test("a back end that knows nothing of it shows nothing of it", async () => {
    await open(() => ({ body: toHealth(null) }));
    expect(await screen.findByRole("heading", { name: "Services" })).toBeTruthy();
    expect(screen.queryByRole("region", { name: /^Sending domain/ })).toBeNull();
  });
});
