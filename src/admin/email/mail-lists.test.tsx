import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

describe("mail lists", () => {
  const READ_ONLY = { view: true, create: false, update: false, delete: false };
  const MODELS = [
    buildModel({ content_type_id: 5, app_label: "mail", model_name: "message", permissions: READ_ONLY }),
    buildModel({ content_type_id: 6, app_label: "mail", model_name: "suppression", permissions: READ_ONLY }),
  ];
  const SENT = { id: 3, ok: true, code: "sent_again", message: "" };
  const SENT_TEXT = "It is sent again, as a new mail.";
  const CODE = { id: 4, ok: false, code: "code", message: "A code is never sent again." };

  interface Call {
    path: string;
    body: unknown;
  }

  async function open(
    rows: readonly object[],
    { address = "/admin/models/5", answers = {} as Record<string, object> } = {},
  ) {
    const calls: Call[] = [];
    await renderAdmin({
      address,
      models: MODELS,
      server({ method, url, body }) {
        if (method !== "GET") {
          calls.push({ path: url.pathname, body });
          return { body: answers[url.pathname] };
        }
        const pagination = {
          page: 1,
          page_size: 20,
          total_count: rows.length,
          total_pages: 1,
          has_next: false,
          has_previous: false,
        };
        return { body: { objects: rows, pagination } };
      },
    });
    return { user: userEvent.setup(), calls };
  }

  afterEach(cleanup);

  test("a mail that did not arrive can be sent again from its row, one that did can't", async () => {
    const rows = [
      { id: 3, label: "ada@example.org", delivery_state: "bounced" },
      { id: 4, label: "eve@example.org", delivery_state: "delivered" },
    ];
    const path = "/api/mail/messages/3/resend/";
    const answer = { success: true, message: SENT_TEXT, results: [SENT], undo: null };
    const { user, calls } = await open(rows, { answers: { [path]: answer } });
    await user.click(await screen.findByRole("button", { name: "Send again: ada@example.org" }));
    await waitFor(() => expect(calls).toEqual([{ path, body: {} }]));
    expect(await screen.findByText(SENT_TEXT)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Send again: eve@example.org" })).toBeNull();
  });

  test("several are sent again after a question, and each that isn't says why", async () => {
    const rows = [
      { id: 3, label: "ada@example.org", delivery_state: "bounced" },
      { id: 4, label: "eve@example.org", delivery_state: "expired" },
    ];
    const path = "/api/mail/messages/resend/";
    const answer = { success: true, message: "Sent again: 1 of 2.", results: [SENT, CODE], undo: null };
    const { user, calls } = await open(rows, { answers: { [path]: answer } });
    for (const { label } of rows)
      await user.click(await screen.findByRole("checkbox", { name: `Select ${label}` }));
    await user.click(screen.getByRole("button", { name: "Send again" }));
    const question = await screen.findByRole("dialog", { name: "Send 2 mails again?" });
    await user.click(within(question).getByRole("button", { name: "Send again" }));
    await waitFor(() => expect(calls).toEqual([{ path, body: { message_ids: [3, 4] } }]));
    const results = await screen.findByRole("dialog", { name: "Failed to send again" });
    expect(within(results).getByRole("listitem").textContent).toBe(`eve@example.org: ${CODE.message}`);
  });

  test("lifting offers what was stopped meanwhile, and sends it", async () => {
    const rows = [{ id: 1, label: "ada@example.org" }];
    const lift = "/api/mail/suppressions/lift/";
    const resend = "/api/mail/messages/resend/";
    const answers = {
      [lift]: {
        success: true,
        message: "The address gets mail again.",
        stopped: [3, 4],
        undo: { path: "/api/mail/suppressions/undo/", body: { batch_id: "b" } },
      },
      [resend]: { success: true, message: "Sent again: 1 of 2.", results: [SENT, CODE], undo: null },
    };
    const { user, calls } = await open(rows, { address: "/admin/models/6", answers });
    await user.click(await screen.findByRole("checkbox", { name: "Select ada@example.org" }));
    await user.click(screen.getByRole("button", { name: "Let mail through" }));
    await user.type(await screen.findByRole("textbox", { name: "Reason" }), "It works");
    await user.click(screen.getAllByRole("button", { name: "Let mail through" }).at(-1) as HTMLElement);
    expect(await screen.findByRole("button", { name: "Undo" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Send the 2 mails that were stopped" }));
    await waitFor(() => expect(calls.at(-1)).toEqual({ path: resend, body: { message_ids: [3, 4] } }));
    const results = await screen.findByRole("dialog", { name: "Failed to send again" });
    expect(within(results).getByRole("listitem").textContent).toBe(`#4: ${CODE.message}`);
  });

  test("an address of a deleted account says so in place of its hash", async () => {
    const field = { name: "address", verbose_name: "Address" };
    const rows = [{ id: 1, label: `#${"3fa9c0d1".repeat(4)}`, address: `#${"3fa9c0d1".repeat(4)}` }];
    MODELS[1] = buildModel({
      ...MODELS[1],
      list_columns: ["address"],
      fields: (MODELS[1]?.fields ?? []).map((one, index) => (index === 0 ? { ...one, ...field } : one)),
    });
    await open(rows, { address: "/admin/models/6" });
    expect(await screen.findByText("Address of a deleted account (#3fa9c0d1)")).toBeTruthy();
  });
});

describe("suppressions", () => {
  const MODEL = buildModel({
    content_type_id: 5,
    app_label: "mail",
    model_name: "suppression",
    verbose_name_plural: "Suppressed addresses",
    fields: [buildField(), buildField({ name: "reason", read_only: true })],
    permissions: { view: true, create: false, update: false, delete: false },
  });
  const ROWS = [
    { id: 1, label: "ada@example.org", reason: "Complaint: abuse." },
    { id: 2, label: "eve@example.org", reason: "She asked." },
  ];
  const DONE = {
    success: true,
    message: "Done.",
    changed: 1,
    unchanged: 0,
    invalid: [],
    invalid_count: 0,
    undo: null,
  };

  interface Call {
    method: string;
    path: string;
    body: unknown;
  }

  /** The list of suppressed addresses; `answer` is what writes are answered. */
  async function open(
    answer: object = DONE,
    address = "/admin/models/5",
    status = 200,
    lang: "en" | "tr" = "en",
  ) {
    const calls: Call[] = [];
    const { router } = await renderAdmin({
      address,
      lang,
      models: [MODEL],
      server({ method, url, body }) {
        if (method !== "GET") {
          calls.push({ method, path: url.pathname, body });
          return { status, body: answer };
        }
        if (url.pathname.endsWith("/objects/1/")) return { body: ROWS[0] };
        const pagination = {
          page: 1,
          page_size: 20,
          total_count: 2,
          total_pages: 1,
          has_next: false,
          has_previous: false,
        };
        return { body: { objects: ROWS, pagination } };
      },
    });
    await screen.findByRole("link", { name: "ada@example.org" });
    return { user: userEvent.setup(), calls, router };
  }

  afterEach(cleanup);

  test("addresses are lifted together, with a reason, and never without one", async () => {
    const { user, calls } = await open({
      ...DONE,
      undo: { path: "/api/mail/suppressions/undo/", body: { batch_id: "b" } },
    });
    await user.click(screen.getByRole("checkbox", { name: "Select ada@example.org" }));
    await user.click(await screen.findByRole("button", { name: "Let mail through" }));
    const reason = await screen.findByRole("textbox", { name: "Reason" });
    await waitFor(() => expect(document.activeElement).toBe(reason));
    const confirm = () =>
      screen.getAllByRole<HTMLButtonElement>("button", { name: "Let mail through" }).at(-1);
    expect(confirm()?.disabled).toBe(true);
    await user.keyboard("{Enter}");
    await user.type(reason, " The mailbox works. {Escape}{Enter}");
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toEqual({
      method: "POST",
      path: "/api/mail/suppressions/lift/",
      body: { ids: [1], reason: "The mailbox works." },
    });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ path: "/api/mail/suppressions/undo/" }));
  });

  test("addresses are added, and what is none stays in the form with its reason", async () => {
    const { user, calls } = await open({ ...DONE, invalid: ["no address"], invalid_count: 1 });
    await user.click(screen.getByRole("button", { name: "Add addresses" }));
    const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Addresses, one a line" });
    await waitFor(() => expect(document.activeElement).toBe(text));
    await user.keyboard("a@example.org{Enter}no address{Escape}");
    await user.click(screen.getByRole("radio", { name: "Mail one can do without" }));
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Asked{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain("“no address” is no address");
    expect(text.value).toBe("no address");
    expect(calls).toEqual([
      {
        method: "POST",
        path: "/api/mail/suppressions/import/",
        body: { text: "a@example.org\nno address", scope: "optional", reason: "Asked", expires_at: null },
      },
    ]);
  });

  /** The dialog, and its box. */
  async function openAdd(answer?: object) {
    const opened = await open(answer);
    await opened.user.click(screen.getByRole("button", { name: "Add addresses" }));
    const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: /^Addresses/ });
    return { ...opened, box };
  }
  const UNDO = { path: "/api/mail/suppressions/undo/", body: { batch_id: "b" } };
  const chooseFile = (file: File) => {
    const input = document.querySelector<HTMLInputElement>("[role=dialog] input[type=file]");
    if (!input) throw new Error("no file can be chosen");
    fireEvent.change(input, { target: { files: [file] } });
  };

  /** A file as browsers have it: jsdom's can't be read as text. */
  const toFile = (text: string, name = "gone.csv") =>
    Object.assign(new File([text], name), { text: async () => text });

  test("addresses that were added are taken back by one click", async () => {
    const { user, calls, box } = await openAdd({ ...DONE, undo: UNDO });
    await user.type(box, "a@example.org");
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Asked{Enter}");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toEqual({ method: "POST", path: UNDO.path, body: UNDO.body });
    expect(screen.queryByRole("textbox", { name: /^Addresses/ })).toBeNull();
  });

  test("what was done is said, with its undo, when the dialog that waits for the rest is gone", async () => {
    const { user, box } = await openAdd({ ...DONE, invalid: ["no address"], invalid_count: 1, undo: UNDO });
    await user.type(box, "a@example.org{Enter}no address");
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Asked{Enter}");
    await screen.findByText(/“no address” is no address/);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("button", { name: "Undo" })).toBeTruthy();
  });

  test("addresses are stopped up to the end of a day, which can't be over", async () => {
    const { user, calls, box } = await openAdd();
    await user.type(box, "a@example.org");
    const until = screen.getByLabelText("Last day (empty: for good)");
    fireEvent.change(until, { target: { value: "2020-01-31" } });
    expect(screen.getByText("This day is over.")).toBeTruthy();
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "Asked{Enter}");
    expect(calls).toEqual([]);
    fireEvent.change(until, { target: { value: "2099-01-31" } });
    expect(screen.queryByText("This day is over.")).toBeNull();
    await user.type(screen.getByRole("textbox", { name: "Reason" }), "{Enter}");
    await waitFor(() => expect(calls).toHaveLength(1));
    const end = new Date(2099, 1, 1).toISOString();
    expect(calls[0]?.body).toEqual({ text: "a@example.org", scope: "all", reason: "Asked", expires_at: end });
  });

  test("a file's lines follow what was typed, unless it is too large or can't be read", async () => {
    const { user, box } = await openAdd();
    await user.type(box, "a@example.org");
    chooseFile(toFile("b@example.org\nc@example.org"));
    await waitFor(() => expect(box.value).toBe("a@example.org\nb@example.org\nc@example.org"));
    chooseFile(toFile("x".repeat(400_000), "all.txt"));
    expect(await screen.findByText(/^“all.txt” is too large.* more than 400,000 characters/)).toBeTruthy();
    const broken = Object.assign(toFile("b"), { text: () => Promise.reject(new Error("It is gone.")) });
    chooseFile(broken);
    expect(await screen.findByText("“gone.csv” can't be read.")).toBeTruthy();
    expect(box.value).toBe("a@example.org\nb@example.org\nc@example.org");
  });

  test("an entry is lifted where it is read, with a reason, and closed", async () => {
    const { user, calls, router } = await open(DONE, "/admin/models/5/objects/1");
    const drawer = within(await screen.findByRole("dialog"));
    await user.click(await drawer.findByRole("button", { name: "Let mail through" }));
    await user.type(await screen.findByRole("textbox", { name: "Reason" }), "She asked.");
    await user.click(screen.getAllByRole("button", { name: "Let mail through" }).at(-1) ?? document.body);
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/5"));
    expect(calls).toEqual([
      { method: "POST", path: "/api/mail/suppressions/lift/", body: { ids: [1], reason: "She asked." } },
    ]);
  });

  test("a reason of the server is read in the console's language, a person's as it was typed", async () => {
    await open(DONE, "/admin/models/5", 200, "tr");
    expect(screen.getByText("Şikâyet: abuse.")).toBeTruthy();
    expect(screen.getByText("She asked.")).toBeTruthy();
    cleanup();
    await open(DONE, "/admin/models/5/objects/1", 200, "tr");
    const drawer = within(await screen.findByRole("dialog"));
    expect(await drawer.findByText("Şikâyet: abuse.")).toBeTruthy();
  });

  test("a reason that was typed is still there behind a failure", async () => {
    const refusal = { detail: "The database is away.", code: "database" };
    const { user, calls } = await open(refusal, undefined, 503);
    await user.click(screen.getByRole("checkbox", { name: "Select ada@example.org" }));
    await user.click(await screen.findByRole("button", { name: "Let mail through" }));
    const reason = await screen.findByRole<HTMLInputElement>("textbox", { name: "Reason" });
    await user.type(reason, "She asked.");
    await user.click(screen.getAllByRole("button", { name: "Let mail through" }).at(-1) ?? document.body);
    await screen.findByText(/The database is away/);
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Reason" }).value).toBe("She asked.");
  });
});
