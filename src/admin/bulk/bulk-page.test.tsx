import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { BulkPreview, Job } from "#contract/content/bulk.ts";
import { rememberRunning } from "../jobs/use-jobs.ts";
import { type FakeServer, renderAdmin, showOnPhone } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

const LONG = 40_000;
const MODEL = buildModel({
  count: 45,
  fields: [
    buildField({ name: "issuer", verbose_name: "Issuer", required: true }),
    buildField({ name: "note", verbose_name: "Note" }),
  ],
});
const ROWS = [1, 2].map((id) => ({ id, repr: `Row ${id}`, issuer: `Issuer ${id}`, note: null }));
const PREVIEW: BulkPreview = {
  count: 2,
  count_is_estimate: false,
  snapshot: "2026-11-22T12:00:00.000001+00:00",
  refusals: [{ reason: "row_rule", message: "You may not change these.", count: 1, ids: [9] }],
  samples: [{ id: 1, repr: "Row 1", changes: { issuer: { before: "Issuer 1", after: "ACME" } } }],
  dependents: [],
  is_job: false,
};
const DONE = { affected_count: 2, message: "2 objects updated", refusals: [], job: null };
const JOB: Job = {
  id: "7f0e3a52-0000-4000-8000-000000000001",
  operation: "update",
  content_type_id: 7,
  verbose_name: "Certificates",
  status: "cancelled",
  total_count: 25_000,
  done_count: 10_000,
  affected_count: 10_000,
  skipped_count: 0,
  failed_count: 0,
  is_resumable: true,
  message: "Cancelled. What was done stays done: 10,000 objects updated.",
  created_at: new Date().toISOString(),
  started_at: new Date().toISOString(),
  finished_at: new Date().toISOString(),
  user: null,
};

interface Call {
  path: string;
  method: string;
  body: unknown;
  query: Record<string, string>;
}

type Answer = Awaited<ReturnType<FakeServer>>;

/** Lists rows and jobs; what is written is answered as the test says, call by call. */
function createServer(
  answers: Partial<Record<"preview" | "bulk" | "export", Answer[]>> = {},
  jobs: Job[] = [],
) {
  const calls: Call[] = [];
  const server: FakeServer = ({ url, method, body }) => {
    const path = url.pathname;
    calls.push({ path, method, body, query: Object.fromEntries(url.searchParams) });
    if (path.endsWith("/resume/"))
      return { body: { ...JOB, status: "queued", is_resumable: false, finished_at: null } };
    if (path === "/api/admin/jobs/") return { body: { jobs } };
    if (path.endsWith("/bulk/preview/")) return answers.preview?.shift() ?? { body: PREVIEW };
    if (path.endsWith("/bulk/")) return answers.bulk?.shift() ?? { body: DONE };
    if (path.endsWith("/export/")) return answers.export?.shift() ?? { body: {} };
    const page = Number(url.searchParams.get("page") ?? 1);
    const pagination = { page, page_size: 20, total_count: 45, total_pages: 3, count_is_estimate: false };
    return { body: { objects: ROWS, pagination } };
  };
  const find = (end: string) => calls.filter(({ path }) => path.endsWith(end));
  return { server, calls, find };
}

async function open(server: FakeServer, source = MODEL, search = "") {
  const user = userEvent.setup();
  const rendered = await renderAdmin({ address: `/admin/models/7/bulk${search}`, models: [source], server });
  await screen.findByText("Issuer 1");
  return { user, ...rendered };
}

/** Both rows, a value for one field, and the preview of it. */
async function previewUpdate(user: ReturnType<typeof userEvent.setup>): Promise<HTMLElement> {
  await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  await user.click(screen.getByRole("radio", { name: "Update" }));
  await user.click(screen.getByRole("checkbox", { name: "Issuer" }));
  await user.type(await screen.findByRole("textbox", { name: "Issuer" }), "ACME");
  const submit = screen.getByRole("button", { name: "Preview the update" });
  await waitFor(() => expect(submit.hasAttribute("disabled")).toBe(false));
  await user.click(submit);
  return screen.findByRole("dialog");
}

beforeEach(() => rememberRunning(false));
afterEach(cleanup);

test(
  "the button waits for an operation, an object, a field and a value that fits, and says what is missing",
  async () => {
    const { server } = createServer();
    const { user } = await open(server);
    const isOff = (name: string) => screen.getByRole("button", { name }).hasAttribute("disabled");
    expect(isOff("Preview")).toBe(true);
    expect(screen.getByText("Choose an operation.")).toBeTruthy();
    await user.click(screen.getByRole("radio", { name: "Update" }));
    expect(screen.getByText("Select at least one object.")).toBeTruthy();
    await user.click(screen.getByRole("checkbox", { name: "Select Row 1" }));
    expect(screen.getByText("Tick at least one field.")).toBeTruthy();
    await user.click(screen.getByRole("checkbox", { name: "Issuer" }));
    expect(await screen.findByText("Give every ticked field a value that fits.")).toBeTruthy();
    expect(isOff("Preview the update")).toBe(true);
    await user.type(screen.getByRole("textbox", { name: "Issuer" }), "ACME");
    await waitFor(() => expect(isOff("Preview the update")).toBe(false));
    await user.click(screen.getByRole("button", { name: "Reset" }));
    expect(isOff("Preview")).toBe(true);
  },
  LONG,
);

test(
  "a preview comes first; what follows names its count, snapshot and rows, and then the form is empty",
  async () => {
    const { server, find } = createServer();
    const { user } = await open(server, MODEL, "?page=2");
    const dialog = await previewUpdate(user);
    expect(find("/bulk/")).toHaveLength(0);
    expect(within(dialog).getByText("2 objects would be updated.")).toBeTruthy();
    expect(within(dialog).getByText("You may not change these. (1)")).toBeTruthy();
    expect(within(dialog).getByText("Row 1")).toBeTruthy();
    const lists = find("/objects/").length;
    await user.click(within(dialog).getByRole("button", { name: "Update 2 objects" }));
    expect(await screen.findByText("2 objects updated")).toBeTruthy();
    expect(find("/bulk/")[0]?.body).toEqual({
      operation: "update",
      object_ids: [1, 2],
      data: { issuer: "ACME" },
      snapshot: PREVIEW.snapshot,
      expected_count: 2,
    });
    expect(screen.getByText("Choose an operation.")).toBeTruthy();
    expect(screen.getByText("No objects selected")).toBeTruthy();
    await waitFor(() => expect(find("/objects/").length).toBeGreaterThan(lists));
    expect(find("/objects/").at(-1)?.query.page).toBe("2");
  },
  LONG,
);

test(
  "an estimated count is said to be one, and is not expected",
  async () => {
    const { server, find } = createServer({ preview: [{ body: { ...PREVIEW, count_is_estimate: true } }] });
    const { user } = await open(server);
    const dialog = await previewUpdate(user);
    expect(within(dialog).getByText("At most 2 objects would be updated.")).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Update 2 objects" }));
    await screen.findByText("2 objects updated");
    expect(find("/bulk/")[0]?.body).not.toHaveProperty("expected_count");
  },
  LONG,
);

test(
  "a number that has changed is shown, and previewed again",
  async () => {
    const { server, find } = createServer({
      preview: [{ body: PREVIEW }, { body: { ...PREVIEW, count: 1 } }],
      bulk: [{ status: 409, body: { message: "Changed", code: "count_changed" } }],
    });
    const { user } = await open(server);
    await user.click(within(await previewUpdate(user)).getByRole("button", { name: "Update 2 objects" }));
    expect(await screen.findByText(/The number of objects has changed/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Update 1 object" }));
    await screen.findByText("2 objects updated");
    expect(find("/bulk/")[1]?.body).toMatchObject({ expected_count: 1 });
  },
  LONG,
);

test.each([
  ["the server's message", "0 objects updated, 2 left as they were"],
  ["the plain failure", ""],
])(
  "an update that affects nothing has failed, with %s",
  async (_what, message) => {
    const { server } = createServer({ bulk: [{ body: { ...DONE, affected_count: 0, message } }] });
    const { user } = await open(server);
    await user.click(within(await previewUpdate(user)).getByRole("button", { name: "Update 2 objects" }));
    expect(await screen.findByText("Update failed")).toBeTruthy();
    if (message) expect(screen.getByText(message)).toBeTruthy();
    // Nothing typed is lost.
    expect((screen.getByRole("textbox", { name: "Issuer" }) as HTMLInputElement).value).toBe("ACME");
    expect(screen.getByRole("checkbox", { name: "Select Row 1" })).toHaveProperty("checked", true);
  },
  LONG,
);

test(
  "what the server finds wrong with a value stands under its input",
  async () => {
    const errors = [{ field: "issuer", code: "x", message: "Too grand." }];
    const { server } = createServer({
      preview: [{ status: 400, body: { message: "Validation failed", code: "validation_failed", errors } }],
    });
    const { user } = await open(server);
    await user.click(screen.getByRole("checkbox", { name: "Select Row 1" }));
    await user.click(screen.getByRole("radio", { name: "Update" }));
    await user.click(screen.getByRole("checkbox", { name: "Issuer" }));
    await user.type(await screen.findByRole("textbox", { name: "Issuer" }), "ACME");
    const submit = screen.getByRole("button", { name: "Preview the update" });
    await waitFor(() => expect(submit.hasAttribute("disabled")).toBe(false));
    await user.click(submit);
    const message = await screen.findByText("Too grand.");
    expect(screen.getByRole("textbox", { name: "Issuer" }).closest(".ant-form-item")?.contains(message)).toBe(
      true,
    );
  },
  LONG,
);

test(
  "what a list handed over is selected, and all of a query travels as the query",
  async () => {
    const { server, find } = createServer({ preview: [{ body: { ...PREVIEW, count: 44, samples: [] } }] });
    const user = userEvent.setup();
    const { router } = await renderAdmin({ address: "/admin/models", models: [MODEL], server });
    await screen.findByRole("heading", { name: "Models" });
    const state = { selection: { kind: "query", excluded: [2] }, operation: "delete" };
    await act(() => router.navigate("/admin/models/7/bulk?search=ac", { state }));
    await screen.findByText("Issuer 1");
    expect(await screen.findByText("44 selected")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Preview the deletion" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole("button", { name: "Delete 44 objects" })).toBeTruthy();
    expect(find("/bulk/preview/")[0]?.body).toEqual({
      operation: "delete",
      query: { search: "ac", filters: [] },
      exclude_ids: [2],
    });
  },
  LONG,
);

test(
  "an address selects nothing, without a query or with one",
  async () => {
    const first = createServer();
    await open(first.server);
    expect(screen.getByText("No objects selected")).toBeTruthy();
    cleanup();
    const second = createServer();
    await open(second.server, MODEL, "?search=ac");
    expect(screen.getByText("No objects selected")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Select all 45" })).toBeTruthy();
  },
  LONG,
);

test(
  "another search or order leads back to the first page",
  async () => {
    const { server, find } = createServer();
    const { user } = await open(server, MODEL, "?page=3");
    await user.type(screen.getByRole("searchbox", { name: "Search" }), "ac");
    await waitFor(() => expect(find("/objects/").at(-1)?.query).toMatchObject({ search: "ac", page: "1" }));
  },
  LONG,
);

test(
  "every sort of the address is shown, and a change of the first keeps the others",
  async () => {
    const { server } = createServer();
    const { user, router } = await open(server, MODEL, "?sort=issuer&sort=-note");
    expect(screen.getByText("then by Note")).toBeTruthy();
    await user.click(screen.getByRole("combobox", { name: "Sort by" }));
    await user.click(await screen.findByTitle("ID"));
    await waitFor(() =>
      expect(new URLSearchParams(router.state.location.search).getAll("sort")).toEqual(["id", "-note"]),
    );
  },
  LONG,
);

test(
  "on a phone filters and sorts lie in the list's sheet, and the rows are cards that are selected by a press",
  async () => {
    const showWide = showOnPhone();
    try {
      const { server } = createServer();
      const { user } = await open(server, MODEL, "?sort=issuer&sort=-note");
      const cards = within(screen.getByRole("list", { name: "Certificates" })).getAllByRole("listitem");
      const title = cards[0]?.querySelector(".card-title")?.firstElementChild;
      if (title) await user.click(title);
      expect(await screen.findByText("1 selected")).toBeTruthy();
      expect(screen.queryByRole("button", { name: "More" })).toBeNull();
      await user.click(screen.getByRole("button", { name: "Filter and sort" }));
      const sheet = within(await screen.findByRole("dialog"));
      expect(sheet.getByRole("combobox", { name: "Sort by" })).toBeTruthy();
      expect(sheet.getByText("then by Note")).toBeTruthy();
      expect(sheet.queryByText("Columns")).toBeNull();
    } finally {
      showWide();
    }
  },
  LONG,
);

test(
  "a search begins with nothing selected; Back and Forward find what was selected in each",
  async () => {
    const { server } = createServer();
    const { user, router } = await open(server);
    await user.click(screen.getByRole("checkbox", { name: "Select Row 1" }));
    await user.type(screen.getByRole("searchbox", { name: "Search" }), "ac");
    expect(await screen.findByText("No objects selected")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Select all 45" }));
    expect(screen.getByText("45 selected")).toBeTruthy();
    await act(() => router.navigate(-1));
    expect(await screen.findByText("1 selected")).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Select Row 1" })).toHaveProperty("checked", true);
    await act(() => router.navigate(1));
    expect(await screen.findByText("45 selected")).toBeTruthy();
  },
  LONG,
);

test(
  "a reload chooses no operation that nobody has chosen",
  async () => {
    const { server } = createServer();
    const { user, router } = await open(server);
    await user.click(screen.getByRole("checkbox", { name: "Select Row 1" }));
    await waitFor(() => expect(router.state.location.state).toMatchObject({ selection: { ids: [1] } }));
    expect(router.state.location.state.operation).toBeUndefined();
  },
  LONG,
);

test(
  "typed values are asked about before the page is left, and not while its list is searched",
  async () => {
    const { server } = createServer();
    const { user, router } = await open(server);
    await user.click(screen.getByRole("radio", { name: "Update" }));
    await user.click(screen.getByRole("checkbox", { name: "Issuer" }));
    await user.type(await screen.findByRole("textbox", { name: "Issuer" }), "ACME");
    await act(() => router.navigate("/admin/models/7/bulk?page=2"));
    expect(screen.queryByRole("dialog")).toBeNull();
    await act(() => router.navigate("/admin/models"));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Stay and go on" }));
    expect(router.state.location.pathname).toBe("/admin/models/7/bulk");
    expect((screen.getByRole("textbox", { name: "Issuer" }) as HTMLInputElement).value).toBe("ACME");
    // Nothing of it would be written.
    await user.click(screen.getByRole("checkbox", { name: "Issuer" }));
    await act(() => router.navigate("/admin/models"));
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models"));
  },
  LONG,
);

test(
  "the focus is never lost: a closed preview gives it back, a form that has done its work begins anew",
  async () => {
    const { server } = createServer();
    const { user } = await open(server);
    await user.click(within(await previewUpdate(user)).getByRole("button", { name: "Back" }));
    const submit = screen.getByRole("button", { name: "Preview the update" });
    await waitFor(() => expect(document.activeElement).toBe(submit));
    await user.click(submit);
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Update 2 objects" }));
    await screen.findByText("2 objects updated");
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Operation" })),
    );
  },
  LONG,
);

test(
  "who may neither change nor delete can export alone",
  async () => {
    const { server } = createServer();
    const permissions = { view: true, create: false, update: false, delete: false };
    await open(server, buildModel({ count: 45, permissions, fields: MODEL.fields }));
    expect(screen.getAllByRole("radio").map((radio) => radio.closest("label")?.textContent)).toEqual([
      "Export",
    ]);
  },
  LONG,
);

test(
  "an answer that is no file is a failed export",
  async () => {
    const { server, find } = createServer();
    const { user } = await open(server);
    await user.click(screen.getByRole("checkbox", { name: "Select Row 2" }));
    await user.click(screen.getByRole("radio", { name: "Export" }));
    await user.click(screen.getByRole("button", { name: "Export" }));
    expect(await screen.findByText("Export failed")).toBeTruthy();
    expect(find("/export/")[0]).toMatchObject({
      method: "POST",
      body: { format: "csv", object_ids: [2], columns: [] },
    });
  },
  LONG,
);

test(
  "a job that was cancelled is shown with what it did, and goes on",
  async () => {
    const { server, find } = createServer({}, [JOB]);
    const { user } = await open(server);
    const card = await screen.findByRole("article", { name: "Update: Certificates" });
    expect(within(card).getByText("10,000 of 25,000 (40%)")).toBeTruthy();
    await user.click(within(card).getByRole("button", { name: "Resume: Update: Certificates" }));
    expect(await screen.findByText("The job goes on where it stopped.")).toBeTruthy();
    expect(find("/resume/")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "1 job is running" }).getAttribute("href")).toBe("/admin/jobs");
  },
  LONG,
);

test(
  "no screen asks for jobs before one was begun here",
  async () => {
    const { server, find } = createServer();
    await renderAdmin({ address: "/admin/models/7", models: [MODEL], server });
    await screen.findByText("Issuer 1");
    expect(find("/jobs/")).toHaveLength(0);
  },
  LONG,
);
