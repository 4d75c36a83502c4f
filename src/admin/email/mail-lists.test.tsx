import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";
import { buildModel } from "../views/test-model.ts";

const WAIT = { timeout: 60_000 };
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
  await user.click(await screen.findByRole("button", { name: "Send again: ada@example.org" }, WAIT));
  await waitFor(() => expect(calls).toEqual([{ path, body: {} }]), WAIT);
  expect(await screen.findByText(SENT_TEXT, undefined, WAIT)).toBeTruthy();
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
    await user.click(await screen.findByRole("checkbox", { name: `Select ${label}` }, WAIT));
  await user.click(screen.getByRole("button", { name: "Send again" }));
  const question = await screen.findByRole("dialog", { name: "Send 2 mails again?" }, WAIT);
  await user.click(within(question).getByRole("button", { name: "Send again" }));
  await waitFor(() => expect(calls).toEqual([{ path, body: { message_ids: [3, 4] } }]), WAIT);
  const results = await screen.findByRole("dialog", { name: "Failed to send again" }, WAIT);
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
  await user.click(await screen.findByRole("checkbox", { name: "Select ada@example.org" }, WAIT));
  await user.click(screen.getByRole("button", { name: "Let mail through" }));
  await user.type(await screen.findByRole("textbox", { name: "Reason" }, WAIT), "It works");
  await user.click(screen.getAllByRole("button", { name: "Let mail through" }).at(-1) as HTMLElement);
  expect(await screen.findByRole("button", { name: "Undo" }, WAIT)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Send the 2 mails that were stopped" }));
  await waitFor(() => expect(calls.at(-1)).toEqual({ path: resend, body: { message_ids: [3, 4] } }), WAIT);
  const results = await screen.findByRole("dialog", { name: "Failed to send again" }, WAIT);
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
  expect(await screen.findByText("Address of a deleted account (#3fa9c0d1)", undefined, WAIT)).toBeTruthy();
});
