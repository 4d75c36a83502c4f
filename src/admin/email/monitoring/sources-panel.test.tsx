import { afterEach, expect, jest, test } from "@jest/globals";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import type { MailSource, MailSourcesAnswer } from "#contract/mail/sources.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { pass, stopClock, until } from "../../test-clock.ts";
import { toTestStep } from "./use-mail-sources.ts";

const SOURCES_API = "/api/mail/sources/";
const REPORTS_API = "/api/mail/reports/";

const source = (part: Partial<MailSource>): MailSource => ({
  name: "ses",
  is_set_up: true,
  tells_deliveries: true,
  tells_complaints: true,
  webhook_url: "https://site.example/api/mail/webhooks/ses/",
  last_event_at: null,
  refused_at: null,
  refusal: null,
  confirmation: null,
  unreadable: 0,
  first_unreadable_id: null,
  ...part,
});
const TARGETS: MailSourcesAnswer["targets"] = [
  { name: "own", email: "nobody@site.example" },
  { name: "simulator", email: "bounce@simulator.amazonses.com" },
];
const CONFIRMATION = {
  topic: "arn:aws:sns:eu-west-1:1:mail",
  asked_at: "2026-11-24T10:00:00.000Z",
  url: "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription",
};
const TEST = {
  email: "nobody@site.example",
  asked_at: "2026-11-24T10:00:00.000Z",
  state: "waiting",
  source: null,
  took_seconds: null,
  response: null,
} as const;

interface OpenOptions {
  isSuperuser?: boolean;
  status?: number;
  /** Answers calls about reports; it may change the ways in. */
  toReports?: (call: string, current: MailSourcesAnswer) => { status?: number; body: unknown };
}

/** The screen with these ways in; everything else of it is lacking. */
async function open(
  answer: Partial<MailSourcesAnswer>,
  { isSuperuser = true, status = 200, toReports = () => ({ status: 404, body: {} }) }: OpenOptions = {},
) {
  const current: MailSourcesAnswer = {
    sources: [source({})],
    unread: 0,
    targets: TARGETS,
    test: null,
    ...answer,
  };
  const writes: [string, unknown][] = [];
  const reads = { count: 0 };
  await renderAdmin({
    address: "/admin/email-monitoring",
    models: [],
    permissions: { isSuperuser, accessLevel: isSuperuser ? 999 : 10, can: () => true },
    server({ method, url, body }) {
      if (url.pathname.startsWith(REPORTS_API)) return toReports(`${method} ${url.pathname}`, current);
      if (!url.pathname.startsWith(SOURCES_API)) return { status: 404, body: {} };
      if (method === "GET") reads.count += 1;
      else writes.push([url.pathname, body]);
      return method === "GET" || status === 200
        ? { body: current }
        : { status, body: { message: "Too many tests" } };
    },
  });
  return { current, writes, reads, user: setUpDrawnUser() };
}

const card = async (name: string) => {
  const found = (await screen.findByRole("heading", { name, level: 3 })).closest("li");
  if (!found) throw new Error(`${name} is no card`);
  return within(found);
};

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test("a way in says whether it is set up, what it reports, and why it last refused something", async () => {
  await open({
    sources: [
      source({ name: "returned", is_set_up: false, webhook_url: null }),
      source({
        refused_at: "2026-11-24T10:00:00.000Z",
        refusal: "The topic is not allowed.",
        unreadable: 2,
        first_unreadable_id: 9,
      }),
    ],
  });
  const ses = await card("Amazon SES");
  expect(ses.getByText("Set up")).toBeTruthy();
  expect(ses.getByText("returned mail, deliveries, and complaints")).toBeTruthy();
  expect(ses.getByText(/The topic is not allowed/)).toBeTruthy();
  expect(ses.getByText("2 reports could not be read")).toBeTruthy();
  const returned = await card("Returned mail");
  expect(returned.getByText("Not set up")).toBeTruthy();
  expect(returned.getByText("See “Mail that comes back” in README.")).toBeTruthy();
  const names = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(names.slice(0, 2)).toEqual(["Amazon SES", "Returned mail"]);
  expect(screen.queryByText("Nobody reports to this site what became of its mail")).toBeNull();
});

const UNREADABLE = source({ unreadable: 3, first_unreadable_id: 9 });
const REPORT = {
  id: 9,
  source: "ses",
  received_at: "2026-11-24T10:00:00.000Z",
  state: "failed",
  error: "It is not an event.",
  parser_version: null,
  content: { reported: "something" },
  events: [],
};

test("a superuser opens the first report that could not be read", async () => {
  const calls: string[] = [];
  const toReports = (call: string) => {
    calls.push(call);
    return { body: REPORT };
  };
  const { user } = await open({ sources: [UNREADABLE] }, { toReports });
  const ses = await card("Amazon SES");
  await user.click(ses.getByRole("button", { name: "Open the first one: report 9" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Report 9" }));
  expect(await dialog.findByText(/It is not an event/)).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Read again" })).toBeTruthy();
  expect(calls).toEqual([`GET ${REPORTS_API}9/`]);
});

test("all that could not be read is read again, and what came of it is said once it was read", async () => {
  stopClock();
  const toReports = (_: string, current: MailSourcesAnswer) => {
    Object.assign(current, { unread: 3, sources: [source({})] });
    return { body: { success: true, message: "3 reports are read again.", count: 3 } };
  };
  const { current } = await open({ sources: [UNREADABLE] }, { toReports });
  fireEvent.click(await until(() => screen.queryByRole("button", { name: "Read all again" })));
  await until(() => screen.queryByText("Reading 3 reports…"));
  expect(screen.queryByText(/was read|were read/)).toBeNull();
  Object.assign(current, { unread: 0, sources: [source({ unreadable: 1, first_unreadable_id: 9 })] });
  await pass(2100);
  await until(() => screen.queryByText("2 reports were read. 1 still can't be read."));
});

test("reading all again that fails says why, and can be tried once more", async () => {
  const toReports = () => ({ status: 503, body: { message: "Not now" } });
  const { user } = await open({ sources: [UNREADABLE] }, { toReports });
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Read all again" });
  await user.click(button);
  expect(await screen.findByText("Failed to read the reports again: Not now")).toBeTruthy();
  expect(button.disabled).toBe(false);
});

test("who is no superuser is shown who can have reports read again", async () => {
  await open({ sources: [source({ unreadable: 3 })] }, { isSuperuser: false });
  const ses = await card("Amazon SES");
  expect(ses.queryByRole("button")).toBeNull();
  expect(screen.getByText("A superuser can have them read again.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Read all again" })).toBeNull();
});

test("a superuser opens the provider's link, and only then says that they did", async () => {
  const { writes, user } = await open({ sources: [source({ confirmation: CONFIRMATION })] });
  const ses = await card("Amazon SES");
  const link = ses.getByRole("link", { name: "Open the link" });
  expect(link.getAttribute("href")).toBe(CONFIRMATION.url);
  expect(link.getAttribute("target")).toBe("_blank");
  const done = ses.getByRole<HTMLButtonElement>("button", { name: "I opened it" });
  expect(done.disabled).toBe(true);
  fireEvent.click(link);
  await user.click(done);
  expect(writes).toEqual([[`${SOURCES_API}confirmed/`, { name: "ses" }]]);
});

test("others learn that a superuser can open it", async () => {
  await open({ sources: [source({ confirmation: { ...CONFIRMATION, url: null } })] }, { isSuperuser: false });
  const ses = await card("Amazon SES");
  expect(ses.getByText("A superuser can open the link.")).toBeTruthy();
  expect(ses.queryByRole("link")).toBeNull();
  expect(ses.queryByRole("button")).toBeNull();
});

test("a test goes to the chosen address", async () => {
  const { writes, user } = await open({});
  await user.click(await screen.findByRole("radio", { name: /simulator/ }));
  await user.click(screen.getByRole("button", { name: "Send a test mail" }));
  expect(writes).toEqual([[`${SOURCES_API}test/`, { target: "simulator" }]]);
});

test("a test that is refused says why", async () => {
  const { user } = await open({}, { status: 429 });
  await user.click(await screen.findByRole("button", { name: "Send a test mail" }));
  expect(await screen.findByText("The test mail was not sent: Too many tests")).toBeTruthy();
});

test("what became of a test is said, and the way by which it was reported", async () => {
  await open({ test: { ...TEST, state: "reported", source: "ses", took_seconds: 4 } });
  expect(await screen.findByText("Reported by: Amazon SES, after 4 seconds.")).toBeTruthy();
});

test("a test under way is asked about every two seconds, until it is over or nobody waits any more", async () => {
  stopClock();
  const { reads, current } = await open({
    test: { ...TEST, asked_at: new Date(Date.now()).toISOString() },
  });
  await until(() => screen.queryByText("Handed over. Waiting for its report…"));
  const before = reads.count;
  await pass(6100);
  expect(reads.count - before).toBe(3);
  await pass(5 * 60_000);
  expect(screen.getByText(/No report within 5 minutes/)).toBeTruthy();
  const stopped = reads.count;
  await pass(30_000);
  expect(reads.count).toBe(stopped);
  expect(current.test?.state).toBe("waiting");
});

test("the wait is counted by the page's clock where the test was begun on it", () => {
  const askedMs = Date.parse(TEST.asked_at);
  const hourMs = 3_600_000;
  expect(toTestStep(TEST, undefined, askedMs + hourMs)).toBe("over");
  expect(toTestStep(TEST, askedMs + hourMs, askedMs + hourMs)).toBe("waiting");
  expect(toTestStep({ ...TEST, state: "refused" }, undefined, askedMs + hourMs)).toBe("refused");
});
