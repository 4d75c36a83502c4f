import { afterEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";

const BOUNCES = "/api/mail/bounces/";

const bounce = (id: number, email_address: string, part: object = {}) => ({
  id,
  email_address,
  bounce_type: "Permanent",
  bounce_subtype: "NoEmail",
  status_code: "5.1.1",
  reason: "5-1-1",
  bounced_at: "2026-11-20T10:00:00.000Z",
  is_processed: false,
  unsubscribed_by: null,
  ...part,
});
const ADA = bounce(1, "ada@example.org");
const BOB = bounce(2, "bob@example.org", { bounce_type: "Transient" });
const stoppedBy = (scope: "all" | "optional") => ({
  unsubscribed_by: "server",
  suppressed: { id: 5, scope, created_at: "2026-11-20T10:00:00.000Z", created_by: null, expires_at: null },
});
const CEM = bounce(3, "cem@example.org", { is_processed: true, ...stoppedBy("all") });
const SUMMARY = { total: 3, unprocessed: 2, permanent: 2, temporary: 1 };

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

interface Answer {
  status?: number;
  body?: unknown;
}

/** The console at an address over a list of three; `answer` says what it answers otherwise. */
async function open({
  address = "/admin/email-bounces",
  rows = [ADA, BOB, CEM] as readonly { id: number }[],
  page = {} as object,
  answer = (_call: Call): Answer | undefined => undefined,
  lang = "en" as "en" | "tr",
  contentTypeId = undefined as number | undefined,
} = {}) {
  const calls: Call[] = [];
  const { router } = await renderAdmin({
    address,
    models: [],
    lang,
    permissions: {
      isSuperuser: true,
      accessLevel: 999,
      can: () => true,
      findContentType: (model) => (model === "mail.bounce" ? contentTypeId : undefined),
    },
    server({ method, url, body }) {
      const call = { method, path: url.pathname, query: url.searchParams, body };
      calls.push(call);
      const own = answer(call);
      if (own) return own;
      const one = rows.find(({ id }) => call.path === `${BOUNCES}${id}/`);
      if (one) return { body: one };
      return { body: { results: rows, total: rows.length, page: 1, pages: 1, summary: SUMMARY, ...page } };
    },
  });
  return {
    router,
    user: userEvent.setup(),
    /** Without the alarms, which the screens ask for beside their rows. */
    asked: () => calls.filter(({ method, path }) => method === "GET" && path !== "/api/mail/hold/"),
    writes: () => calls.filter(({ method, path }) => method !== "GET" && !path.endsWith("/preview/")),
    filters: () => new URLSearchParams(router.state.location.search).getAll("filter"),
  };
}

/** An address may break before its @, which reads as a space here. */
const link = (email: string) =>
  screen.findByRole("link", { name: (name) => name.replaceAll(" ", "") === email });
const row = async (name: string) => {
  const found = (await link(name)).closest("tr");
  if (!found) throw new Error(`${name} stands in no row`);
  return within(found);
};
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Select ${name}` });

/** Says yes to what an action asks. */
async function confirm(user: { click: (button: Element) => Promise<void> }, name: string): Promise<void> {
  const question = within(await screen.findByRole("dialog"));
  await user.click(question.getByRole("button", { name }));
}

/** Opens antd's select and takes one of its options. */
async function choose(label: string, option: string): Promise<void> {
  fireEvent.mouseDown(screen.getByRole("combobox", { name: label }));
  fireEvent.click(await screen.findByText(option, { selector: ".ant-select-item-option-content" }));
}

afterEach(cleanup);

test("the list begins with the last 30 days as the server lists them; All stands in the address", async () => {
  const { asked, filters, router } = await open();
  await link("ada@example.org");
  const query = () => Object.fromEntries(asked().at(-1)?.query ?? []);
  expect(query()).toEqual({ date_range: "30", page: "1", per_page: "20" });
  expect(router.state.location.search).toBe("");
  await choose("Date range", "All");
  await waitFor(() => expect(filters()).toEqual(["date_range:exact:all"]));
  await waitFor(() => expect(query()).toMatchObject({ date_range: "all" }));
  await choose("Status", "Unprocessed");
  await waitFor(() => expect(filters()).toEqual(["status:exact:unprocessed", "date_range:exact:all"]));
  await waitFor(() => expect(query()).toMatchObject({ status: "unprocessed", date_range: "all" }));
  await choose("Date range", "Last 7 days");
  await waitFor(() => expect(filters()).toEqual(["status:exact:unprocessed", "date_range:exact:7"]));
  await choose("Bounce type", "Temporary");
  await waitFor(() => expect(query()).toMatchObject({ type: "Transient", date_range: "7" }));
  fireEvent.click(screen.getByRole("button", { name: "Back to the default filters" }));
  await waitFor(() => expect(router.state.location.search).toBe(""));
  expect(screen.queryByRole("button", { name: "Back to the default filters" })).toBeNull();
});

test("a search stands in the address and is the server's", async () => {
  const { asked, user, router } = await open();
  await link("ada@example.org");
  await user.type(screen.getByRole("searchbox", { name: "Search" }), "ada");
  await waitFor(() => expect(router.state.location.search).toBe("?search=ada"));
  await waitFor(() => expect(asked().at(-1)?.query.get("search")).toBe("ada"));
});

test("a link with All shows all, and closing a record keeps it", async () => {
  const { asked, user, router, filters } = await open({
    address: "/admin/email-bounces?filter=status:exact:all",
  });
  await user.click(await link("ada@example.org"));
  await screen.findByRole("dialog");
  expect(router.state.location.pathname).toBe("/admin/email-bounces/1");
  expect(filters()).toEqual(["status:exact:all"]);
  expect(
    asked()
      .find(({ path }) => path === BOUNCES)
      ?.query.get("status"),
  ).toBe("all");
});

test("cards count what the filters find, and there are none where the answer has no counts", async () => {
  await open();
  await link("ada@example.org");
  const card = (name: string) =>
    screen.getByText(name, { selector: ".summary-cards dt" }).parentElement?.textContent;
  expect(["Total", "Unprocessed", "Permanent", "Temporary"].map(card)).toEqual([
    "Total3",
    "Unprocessed2",
    "Permanent2",
    "Temporary1",
  ]);
  cleanup();
  await open({ page: { summary: undefined } });
  await link("ada@example.org");
  expect(document.querySelector(".summary-cards")).toBeNull();
});

test("page numbers are shown where there is more than one page", async () => {
  await open();
  await link("ada@example.org");
  expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
  cleanup();
  await open({ page: { total: 41, pages: 3 } });
  await link("ada@example.org");
  expect(screen.getByRole("navigation", { name: "Pages" })).toBeTruthy();
});

test("an empty list and a failed one say so in the documented words", async () => {
  const { user, filters } = await open({ rows: [] });
  expect(await screen.findByText("No bounces found matching the current filters.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show all" }));
  await waitFor(() => expect(filters()).toEqual(["status:exact:all", "date_range:exact:all"]));
  cleanup();
  let isDown = true;
  const failed = await open({
    answer: () => (isDown ? { status: 403, body: { message: "Not for you" } } : undefined),
  });
  expect(await screen.findByText("Error Loading Data")).toBeTruthy();
  expect(screen.getByText("Failed to load bounces")).toBeTruthy();
  expect(screen.getByText("Not for you")).toBeTruthy();
  isDown = false;
  await failed.user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await link("ada@example.org")).toBeTruthy();
});

test("an export of the list has its filters, the range as the moment at which it begins", async () => {
  const { user, asked } = await open({ contentTypeId: 31 });
  await link("ada@example.org");
  await user.click(screen.getByTitle("Export every row of this list"));
  await user.click(await screen.findByRole("menuitem", { name: "JSON" }));
  const sent = () => asked().find(({ path }) => path === "/api/admin/models/31/objects/export/");
  await waitFor(() => expect(sent()).toBeTruthy());
  const query = Object.fromEntries(sent()?.query ?? []);
  expect(query).toMatchObject({
    "filters[0][field]": "bounced_at",
    "filters[0][operator]": "gte",
  });
  expect(JSON.parse(query.where ?? "")).toEqual({
    or: [
      { field: "unsubscribed_by", operator: "isnull", value: "true" },
      { field: "unsubscribed_by", operator: "exact", value: "server" },
    ],
  });
  expect(query["filters[0][value]"]).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
});

test("a processed row can't be processed again, and an address of a temporary failure can't be stopped", async () => {
  await open();
  const names = async (email: string) =>
    (await row(email)).queryAllByRole("button").map((button) => button.getAttribute("aria-label"));
  expect(await names("ada@example.org")).toEqual([
    "Mark processed: ada@example.org",
    "Unsubscribe: ada@example.org",
  ]);
  expect(await names("bob@example.org")).toEqual(["Mark processed: bob@example.org"]);
  expect(await names("cem@example.org")).toEqual([]);
});

test("mail to an address can be stopped as long as any of it still goes out", async () => {
  const complaint = (id: number, email_address: string, part: object) => ({
    id,
    email_address,
    feedback_type: "abuse",
    complained_at: "2026-11-20T10:00:00.000Z",
    is_processed: true,
    ...part,
  });
  const unsubscribed_by = "server";
  await open({
    address: "/admin/email-complaints",
    rows: [
      complaint(1, "optional@example.org", stoppedBy("optional")),
      complaint(2, "lifted@example.org", { unsubscribed_by, suppressed: null }),
      complaint(3, "elsewhere@example.org", { unsubscribed_by }),
      complaint(4, "stopped@example.org", stoppedBy("all")),
    ],
  });
  await link("optional@example.org");
  expect(screen.getAllByRole("button", { name: /^Unsubscribe: / }).map((button) => button.ariaLabel)).toEqual(
    ["optional", "lifted", "elsewhere"].map((name) => `Unsubscribe: ${name}@example.org`),
  );
});

test("one row is processed by its own call, and the rows are read again", async () => {
  const { user, writes, asked } = await open({
    answer: ({ method }) =>
      method === "POST" ? { body: { success: true, message: "Bounce processed" } } : undefined,
  });
  const before = (await row("ada@example.org")).getByRole("button", { name: /^Mark processed/ });
  const lists = asked().length;
  await user.click(before);
  expect(await screen.findByText("Bounce processed")).toBeTruthy();
  expect(writes()).toMatchObject([{ method: "POST", path: "/api/mail/bounces/1/mark_processed/" }]);
  await waitFor(() => expect(asked().length).toBeGreaterThan(lists));
});

test("a refusal without results says so, and everything stays selected", async () => {
  const { user } = await open({
    answer: ({ method }) =>
      method === "POST" ? { body: { success: false, message: "Not today" } } : undefined,
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(screen.getByRole("button", { name: "Process selected" }));
  await confirm(user, "Process selected");
  expect(await screen.findByText("Failed to process bounce(s)")).toBeTruthy();
  expect(screen.getByText("Not today")).toBeTruthy();
  expect(box("ada@example.org").checked).toBe(true);
});

test("a batch asks first where mail is stopped, names what failed and keeps it selected", async () => {
  const { user, writes } = await open({
    page: { total: 41, pages: 3 },
    answer: ({ method }) =>
      method === "POST"
        ? {
            body: {
              success: true,
              message: "1 unsubscribed",
              results: [
                { id: 1, ok: true },
                { id: 2, ok: false, message: "A temporary failure stops nobody." },
              ],
            },
          }
        : undefined,
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(box("bob@example.org"));
  // There is no bulk by query here.
  expect(screen.queryByRole("button", { name: /that match/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Unsubscribe selected" }));
  const question = within(await screen.findByRole("dialog"));
  expect(question.getByText("Stop all mail to 2 addresses?")).toBeTruthy();
  expect(await question.findByText("It would be done to 1 row.")).toBeTruthy();
  expect(question.getByText("1 × A temporary failure stops nobody.")).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.click(question.getByRole("button", { name: "Unsubscribe selected" }));
  const title = await screen.findByText("Failed to unsubscribe bounce(s)");
  const results = within(title.closest<HTMLElement>("[role=dialog]") ?? document.body);
  expect(results.getByText("Done: 1. Not done: 1.")).toBeTruthy();
  expect(results.getByRole("listitem").textContent).toBe(
    "bob@example.org: A temporary failure stops nobody.",
  );
  expect(writes()).toMatchObject([
    { path: "/api/mail/bounces/batch_unsubscribe/", body: { bounce_ids: [1, 2] } },
  ]);
  await user.click(results.getByRole("button", { name: "Close" }));
  expect(box("ada@example.org").checked).toBe(false);
  expect(box("bob@example.org").checked).toBe(true);
});

test("where a back end has no preview the question stands alone", async () => {
  const { user, writes } = await open({
    answer: ({ method, path }) => {
      if (method === "GET") return undefined;
      return path.endsWith("/preview/") ? { status: 404 } : { body: { success: true } };
    },
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(screen.getByRole("button", { name: "Unsubscribe selected" }));
  const question = within(await screen.findByRole("dialog"));
  await waitFor(() => expect(question.queryByRole("status")).toBeNull());
  await user.click(question.getByRole("button", { name: "Unsubscribe selected" }));
  await waitFor(() => expect(writes()).toMatchObject([{ path: "/api/mail/bounces/batch_unsubscribe/" }]));
});

test("a batch that is only marked asks too, and says beforehand what would become of its rows", async () => {
  const { user, writes } = await open({
    answer: ({ method, body }) =>
      method === "POST" && JSON.stringify(body) === '{"bounce_ids":[1,3]}'
        ? {
            body: {
              success: true,
              message: "1 processed",
              results: [
                { id: 1, ok: true },
                { id: 3, ok: false, message: "It was processed already." },
              ],
            },
          }
        : undefined,
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(box("cem@example.org"));
  await user.click(screen.getByRole("button", { name: "Process selected" }));
  const question = within(await screen.findByRole("dialog"));
  expect(question.getByText("Mark 2 rows as processed?")).toBeTruthy();
  expect(await question.findByText("1 × It was processed already.")).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.click(question.getByRole("button", { name: "Process selected" }));
  await screen.findByText("Failed to process bounce(s)");
  expect(writes()).toMatchObject([{ path: "/api/mail/bounces/batch_process/" }]);
});

test("what was done can be undone, as long as nothing else was", async () => {
  const undo = { path: "/api/mail/suppressions/undo/", body: { token: "abc" } };
  const { user, writes } = await open({
    answer: ({ method, path }) => {
      if (method !== "POST") return undefined;
      if (path === undo.path) return { body: { success: true, message: "Back as it was" } };
      return { body: { success: true, message: "2 processed", undo } };
    },
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(box("bob@example.org"));
  await user.click(screen.getByRole("button", { name: "Process selected" }));
  await confirm(user, "Process selected");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByText("Back as it was")).toBeTruthy();
  expect(writes().map(({ path, body }) => [path, body])).toEqual([
    ["/api/mail/bounces/batch_process/", { bounce_ids: [1, 2] }],
    [undo.path, undo.body],
  ]);
});

test("an undo that leads elsewhere is none", async () => {
  const { user, writes } = await open({
    answer: ({ method }) =>
      method === "POST"
        ? { body: { success: true, message: "Done", undo: { path: "@evil.test/api/x/", body: {} } } }
        : undefined,
  });
  await link("ada@example.org");
  await user.click(box("ada@example.org"));
  await user.click(screen.getByRole("button", { name: "Process selected" }));
  await confirm(user, "Process selected");
  expect(await screen.findByText("Done")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  expect(writes()).toHaveLength(1);
});

test("a back end without the list shows what its dashboard names, to be read and nothing else", async () => {
  const recent = { email: "ada@example.org", type: "Permanent", is_processed: false };
  const bounced_at = new Date().toISOString();
  await open({
    answer: ({ path }) =>
      path === "/api/mail/dashboard/"
        ? { body: { recent_activity: { bounces: [{ ...recent, bounced_at }] } } }
        : { status: 404, body: { message: "Not found" } },
  });
  expect(await screen.findByText("ada@example.org", { selector: ".email-text" })).toBeTruthy();
  expect(screen.getByText(/This server has no such list/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "ada@example.org" })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("button", { name: /Mark processed|Unsubscribe/ })).toBeNull();
});

test("j and k go from record to record in the drawer, and its row has the focus afterwards", async () => {
  const { user, router } = await open();
  await link("ada@example.org");
  await user.keyboard("je");
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("5.1.1")).toBeTruthy();
  await user.keyboard("j");
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/email-bounces/2"));
  await user.keyboard("jj");
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/email-bounces/3"));
  await user.keyboard("k");
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/email-bounces/2"));
  await within(dialog).findByRole("textbox", { name: "Note" });
  await user.click(within(dialog).getAllByRole("button", { name: "Close" })[0] ?? dialog);
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/email-bounces"));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("bob@example.org"));
});

test("a note is written to the record alone", async () => {
  const { user, writes } = await open({ address: "/admin/email-bounces/1" });
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(await dialog.findByRole("textbox", { name: "Note" }), "jj");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(writes()).toMatchObject([{ method: "PATCH", path: "/api/mail/bounces/1/", body: { note: "jj" } }]),
  );
});

test("complaints are the same list with their own words and calls", async () => {
  const complaint = {
    id: 9,
    email_address: "eve@example.org",
    feedback_type: "virus",
    complained_at: "2026-11-20T10:00:00.000Z",
    is_processed: false,
  };
  const { user, asked, writes } = await open({
    address: "/admin/email-complaints",
    rows: [complaint],
    page: { summary: { total: 1, unprocessed: 1, processed: 0, auto_unsubscribed: 0 } },
    answer: ({ method }) => (method === "POST" ? { body: { success: true } } : undefined),
  });
  const eve = await row("eve@example.org");
  expect(eve.getByText("Other")).toBeTruthy();
  expect(screen.getByText("Unsubscribed automatically")).toBeTruthy();
  expect(asked()[0]?.path).toBe("/api/mail/complaints/");
  await user.click(eve.getByRole("button", { name: "Unsubscribe: eve@example.org" }));
  await confirm(user, "Unsubscribe");
  await waitFor(() => expect(writes()[0]?.path).toBe("/api/mail/complaints/9/unsubscribe/"));
  expect(await screen.findByText("1 row done")).toBeTruthy();
});

test("a Turkish list speaks Turkish", async () => {
  await open({ rows: [], lang: "tr" });
  expect(await screen.findByText("Geçerli filtrelere uyan geri dönüş bulunamadı.")).toBeTruthy();
  expect(screen.getByText("Son 30 gün")).toBeTruthy();
});
