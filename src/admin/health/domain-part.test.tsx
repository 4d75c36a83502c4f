import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { HealthAnswer, SendingDomainAnswer } from "#contract/health.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";

const WAIT = { timeout: 60_000 };
const VALUE = "v=DMARC1; p=none; rua=mailto:postmaster@example.org";

const DOMAIN: SendingDomainAnswer = {
  domain: "example.org",
  checked_at: new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString(),
  is_checking: false,
  findings: [
    { check: "spf", state: "good", message: "The SPF record is fine.", found: "v=spf1 ~all", publish: null },
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
  last_check: "2026-11-22T12:00:00.000Z",
  availability: null,
  history: [],
  outbox: null,
  sending_domain: domain,
});

const open = (server: FakeServer, lang: "en" | "tr" = "en") =>
  renderAdmin({ address: "/admin/health", models: [], server, lang });
const findPart = async (name = "Sending domain: example.org") =>
  within(await screen.findByRole("region", { name }, WAIT));

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
  expect(await part.findByText("Kopyalandı", undefined, WAIT)).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(VALUE);
  await user.click(part.getByRole("button", { name: "DMARC kaydının adını kopyala" }));
  expect(await part.findAllByText("Kopyalandı", undefined, WAIT)).toHaveLength(2);
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
  expect(await part.findByText("Looking up…", undefined, WAIT)).toBeTruthy();
  domain = { ...DOMAIN, findings: DOMAIN.findings.slice(0, 1) };
  expect(await part.findByText("The SPF record is fine.", undefined, WAIT)).toBeTruthy();
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
  expect(
    await screen.findByText("The sending domain can't be checked again yet", undefined, WAIT),
  ).toBeTruthy();
  expect(part.getByText("There is no DMARC record.")).toBeTruthy();
});

test("a back end that knows nothing of it shows nothing of it", async () => {
  await open(() => ({ body: toHealth(null) }));
  expect(await screen.findByRole("heading", { name: "Services" }, WAIT)).toBeTruthy();
  expect(screen.queryByRole("region", { name: /^Sending domain/ })).toBeNull();
});
