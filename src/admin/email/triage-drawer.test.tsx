import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";
import { createFakeTopics } from "../test-topics.ts";

const MODELS: Readonly<Record<string, number>> = { "mail.suppression": 14, "mail.message": 11 };

const SUPPRESSED = {
  id: 5,
  scope: "all",
  created_at: "2026-11-20T10:00:00.000Z",
  created_by: "grace",
  expires_at: null,
};

interface Row {
  id: number;
  email_address: string;
  is_processed: boolean;
}

const toRow = (id: number, name: string, part: object = {}): Row => ({
  id,
  email_address: `${name}@example.org`,
  is_processed: false,
  ...{
    bounce_type: "Permanent",
    bounce_subtype: "NoEmail",
    reason: "5-1-1",
    bounced_at: "2026-11-20T10:00:00.000Z",
    mail_kind: "test",
    mail_kind_label: "Test mail",
    source: "ses",
    message: 3,
    unsubscribed_by: null,
    suppressed: null,
  },
  ...part,
});

const EVENT = {
  id: 8,
  kind: "bounced",
  source: "ses",
  created_at: "2026-11-20T10:00:00.000Z",
  occurred_at: null,
  bounce_type: "Permanent",
  bounce_subtype: "NoEmail",
  feedback_type: null,
  status_code: "5.1.1",
  diagnostic: "smtp; 550 no such user",
  report_id: 77,
};
const MAIL = {
  id: 3,
  kind: "test",
  kind_label: "Test mail",
  created_at: "2026-11-20T09:00:00.000Z",
  state: "bounced",
  events: [EVENT],
};
const REPORT = {
  id: 77,
  source: "ses",
  received_at: "2026-11-20T10:00:00.000Z",
  state: "read",
  error: null,
  parser_version: 1,
  content: { eventType: "Bounce" },
  events: [EVENT],
};

/** The console over rows that a server keeps: the processed ones come last. */
async function open(
  address: string,
  {
    accessLevel = 999,
    rows = [toRow(1, "ada"), toRow(2, "bob"), toRow(3, "cem")],
    mails = [MAIL] as object[],
    timelineStatus = 200,
    topics = createFakeTopics({ isJoining: false }),
  } = {},
) {
  const state = { rows, mails, writes: [] as string[], timelines: [] as (string | null)[] };
  const { router } = await renderAdmin({
    address,
    models: [],
    socket: { join: topics.join, subscribe: () => () => {}, getStatus: () => "connected", tryNow() {} },
    permissions: {
      isSuperuser: accessLevel === 999,
      accessLevel,
      can: () => true,
      findContentType: (model) => MODELS[model],
    },
    server({ method, url: { pathname, searchParams } }) {
      if (pathname.endsWith("/preview/"))
        return { body: { success: true, results: [{ id: 1, ok: true, message: "It gets no more mail." }] } };
      if (method === "POST") {
        state.writes.push(pathname);
        const id = Number(/bounces\/(\d+)\//.exec(pathname)?.[1]);
        state.rows = state.rows
          .map((row) => (row.id === id ? { ...row, is_processed: true } : row))
          .toSorted((a, b) => Number(a.is_processed) - Number(b.is_processed));
        return { body: { success: true, message: "Done." } };
      }
      if (pathname === "/api/mail/timeline/") {
        state.timelines.push(searchParams.get("email"));
        const email = searchParams.get("email");
        return {
          status: timelineStatus,
          body: { email, suppression: SUPPRESSED_REASON, mails: state.mails, has_more: false },
        };
      }
      if (pathname === "/api/mail/reports/77/") return { body: REPORT };
      const one = state.rows.find(({ id }) => pathname === `/api/mail/bounces/${id}/`);
      if (one) return { body: one };
      return { body: { results: state.rows, total: state.rows.length, page: 1, pages: 1 } };
    },
  });
  return { router, state, user: userEvent.setup(), path: () => router.state.location.pathname };
}
const SUPPRESSED_REASON = { ...SUPPRESSED, reason: "Returned: 5.1.1", source: "bounce" };

const drawer = async () => within(await screen.findByRole("dialog"));

afterEach(cleanup);

test("a row is processed in its drawer, and the next one is the one that followed it, wherever it went", async () => {
  const { user, path, state } = await open("/admin/email-bounces/1");
  const dialog = await drawer();
  const next = dialog.getByRole("button", { name: "Next record" });
  // The list beneath has come: its order is what is gone through.
  await waitFor(() => expect(next.getAttribute("aria-disabled")).toBe("false"));
  await user.click(await dialog.findByRole("button", { name: "Mark processed" }));
  expect(await dialog.findByText("Processed", { exact: true })).toBeTruthy();
  expect(state.writes).toEqual(["/api/mail/bounces/1/mark_processed/"]);
  await waitFor(() => expect(document.activeElement).toBe(next));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(path()).toBe("/admin/email-bounces/2"));
  await dialog.findByRole("button", { name: "Mark processed" });
  await user.keyboard("p");
  await waitFor(() => expect(state.writes.at(-1)).toBe("/api/mail/bounces/2/mark_processed/"));
  await user.keyboard("j");
  await waitFor(() => expect(path()).toBe("/admin/email-bounces/3"));
});

test("u asks before mail is stopped, and keys of the drawer rest meanwhile", async () => {
  const { user, state, path } = await open("/admin/email-bounces/1");
  await (await drawer()).findByRole("button", { name: "Unsubscribe" });
  await user.keyboard("u");
  expect(await screen.findByText("Stop all mail to this address?")).toBeTruthy();
  expect(await screen.findByText("What would happen: It gets no more mail.")).toBeTruthy();
  await user.keyboard("pj");
  expect(state.writes).toEqual([]);
  expect(path()).toBe("/admin/email-bounces/1");
});

test("the head says what happened in words, and who stopped mail to the address", async () => {
  await open("/admin/email-bounces/1", { rows: [toRow(1, "ada", { suppressed: SUPPRESSED })] });
  const dialog = await drawer();
  expect(await dialog.findByText("There is no such mailbox.")).toBeTruthy();
  expect(dialog.getByText(/Since .*, by grace\./)).toBeTruthy();
  const entry = dialog.getByRole("link", { name: "Show the entry, and lift it there" });
  expect(entry.getAttribute("href")).toBe("/admin/models/14/objects/5");
  expect(dialog.getByText("Test mail")).toBeTruthy();
  expect(dialog.getByText("Amazon SES")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "The mail itself" }).getAttribute("href")).toBe(
    "/admin/models/11/objects/3",
  );
});

test("because of a failure that may pass nobody is unsubscribed, and the drawer says why and what to do", async () => {
  await open("/admin/email-bounces/1", { rows: [toRow(1, "ada", { bounce_type: "Transient" })] });
  const dialog = await drawer();
  expect(await dialog.findByText(/This failure may pass/)).toBeTruthy();
  expect(dialog.getByRole("link", { name: "suppressed addresses" }).getAttribute("href")).toBe(
    "/admin/models/14",
  );
  expect(dialog.queryByRole("button", { name: "Unsubscribe" })).toBeNull();
});

test("the timeline is asked for when it is opened, by an address of its own", async () => {
  const { user, state, router } = await open("/admin/email-bounces/1");
  const dialog = await drawer();
  await user.click(await dialog.findByRole("link", { name: "Timeline" }));
  expect(await dialog.findByText("smtp; 550 no such user", { exact: false })).toBeTruthy();
  expect(state.timelines).toEqual(["ada@example.org"]);
  expect(router.state.location.search).toBe("?tab=timeline");
  expect(dialog.getByRole("link", { name: "Test mail" }).getAttribute("href")).toBe(
    "/admin/models/11/objects/3",
  );
});

test("a superuser sees the report as it came and has it read again; others have no button for it", async () => {
  const { user, state } = await open("/admin/email-bounces/1?tab=timeline");
  await user.click(await screen.findByRole("button", { name: "Show the report as it came" }));
  expect(await screen.findByText(/"eventType": "Bounce"/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Read again" }));
  expect(await screen.findByText("Done.")).toBeTruthy();
  expect(state.writes).toEqual(["/api/mail/reports/77/replay/"]);
  cleanup();
  await open("/admin/email-bounces/1?tab=timeline", { accessLevel: 10 });
  await screen.findByText("smtp; 550 no such user", { exact: false });
  expect(screen.queryByRole("button", { name: "Show the report as it came" })).toBeNull();
});

test("any address can be looked up, and what is none is said", async () => {
  const { user, state, router } = await open("/admin/email-timeline", { mails: [] });
  const box = await screen.findByRole("textbox", { name: "Email address" });
  await user.type(box, "nobody{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Type a whole address");
  expect(state.timelines).toEqual([]);
  await user.type(box, "@example.org{Enter}");
  expect(await screen.findByText("No mail to this address is known")).toBeTruthy();
  expect(router.state.location.search).toBe("?email=nobody%40example.org");
  expect(screen.getByText(/All mail to this address is stopped/)).toBeTruthy();
  expect(screen.getByText(/Since .*, by grace\./)).toBeTruthy();
});

test("a timeline that is open shows what happens meanwhile", async () => {
  const topics = createFakeTopics({ isJoining: false });
  const { state } = await open("/admin/email-timeline?email=ada%40example.org", { mails: [], topics });
  await screen.findByText("No mail to this address is known");
  state.mails = [MAIL];
  await topics.publish("admin:mail.event", {});
  expect(await screen.findByText("smtp; 550 no such user", { exact: false })).toBeTruthy();
});

test("of what was reported a timeline says by whom; of what waits in the queue nobody reported anything", async () => {
  const plain = { ...EVENT, source: "outbox", status_code: null, diagnostic: null, report_id: null };
  const events = [
    { ...plain, id: 6, kind: "queued" },
    { ...plain, id: 7, kind: "sent" },
  ];
  await open("/admin/email-timeline?email=ada%40example.org", {
    mails: [{ ...MAIL, state: "sent", events }],
  });
  const lineOf = (word: string) =>
    screen.getByText(word, { selector: ".mail-event-line strong" }).closest("p")?.textContent;
  await screen.findByText("Queued", { selector: ".mail-event-line strong" });
  expect(lineOf("Sent")).toContain("Answer of the next server");
  expect(lineOf("Queued")).not.toContain("·");
});

test("a server without timelines says so", async () => {
  await open("/admin/email-timeline?email=ada%40example.org", { timelineStatus: 404 });
  expect(await screen.findByText("This server keeps no timeline")).toBeTruthy();
});
