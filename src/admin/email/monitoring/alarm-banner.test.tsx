import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { MailHoldAnswer } from "#contract/mail-hold.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { renderAdmin } from "../../test-admin.tsx";

const WAIT = { timeout: 60_000 };
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
  const found = (await screen.findByText(TITLE, undefined, WAIT)).closest<HTMLElement>("[role=alert]");
  if (!found) throw new Error("the banner is no alert");
  return within(found);
};

afterEach(cleanup);

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
  const dialog = within(await screen.findByRole("dialog", undefined, WAIT));
  expect(dialog.getByText("Release 12 mails and end the alarm?")).toBeTruthy();
  expect(asked.filter((call) => call.startsWith("POST"))).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Release" }));
  await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull(), WAIT);
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
  expect(await screen.findByText("Some staff get no alarms", undefined, WAIT)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Release" })).toBeNull();
});

test.each(["/admin/email-monitoring", "/admin/email-bounces", "/admin"])(
  "%s names staff whose mail came back, with the way to what is known of it",
  async (address) => {
    await open({ ...QUIET, returned: ["ada@example.org", "eve@example.org"] }, { address });
    const title = await screen.findByText("Mail to staff came back", undefined, WAIT);
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
  expect(await screen.findByText("Failed to load alarms", undefined, WAIT)).toBeTruthy();
  cleanup();
  const { asked } = await open(403, { address: "/admin/email-bounces" });
  await waitFor(() => expect(asked).toContain(`GET ${HOLD_API}`), WAIT);
  expect(screen.queryByText("Failed to load alarms")).toBeNull();
});

test("who is below level 10 is not asked for alarms", async () => {
  const { asked } = await open(HELD, { address: "/admin/email-bounces", level: 5 });
  await screen.findByRole("heading", { level: 1 }, WAIT);
  expect(asked).not.toContain(`GET ${HOLD_API}`);
});

test.each([
  ["an error where a rate is beyond its limit", HELD.alarms, "ant-alert-error"],
  ["a warning of too few mails for a rate", HELD.alarms.slice(1), "ant-alert-warning"],
])("the banner is %s", async (_what, alarms, name) => {
  await open({ ...HELD, alarms });
  const banner = (await screen.findByText(TITLE, undefined, WAIT)).closest("[role=alert]");
  expect(banner?.className).toContain(name);
});
