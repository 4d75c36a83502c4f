import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ActionEntry, actionEntry } from "#contract/admin-users.ts";
import { createI18n } from "#providers/i18n.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";
import { describeEntry } from "./describe-entry.ts";

const WAIT = { timeout: 10_000 };
const MODEL = buildModel({ fields: [buildField({ name: "issuer", verbose_name: "Issuer" })] });
const ADA = { id: 5, username: "ada", first_name: "Ada", last_name: "Lovelace" };

function toEntry(more: Partial<ActionEntry>): ActionEntry {
  return actionEntry.parse({
    id: 9,
    user: ADA,
    action_type: "UPDATE",
    change_message: "Changed",
    content_type: "Certificate",
    content_type_id: MODEL.content_type_id,
    object_id: "4",
    object_repr: "Light",
    timestamp: "2026-11-20T10:00:00Z",
    ip_address: "192.0.2.7",
    ...more,
  });
}

const ENTRY = toEntry({ changes: { issuer: { before: "ACME", after: "Acme Inc." } } });
const SYSTEM = toEntry({
  id: 8,
  user: null,
  action_type: "DELETE",
  detail: "sample",
  content_type_id: MODEL.content_type_id,
});

let asked: URL[] = [];

const serve =
  (entries: ActionEntry[]): FakeServer =>
  ({ url }) => {
    if (url.pathname !== "/api/admin/actions/") return { status: 404, body: {} };
    asked.push(url);
    const isOne = url.searchParams.get("filters[0][field]") === "id";
    const id = Number(url.searchParams.get("filters[0][value]"));
    const actions = isOne ? entries.filter((entry) => entry.id === id) : entries;
    const pagination = { page: 1, page_size: 20, total_count: actions.length, total_pages: 1 };
    return { body: { actions, pagination } };
  };

afterEach(() => {
  cleanup();
  asked = [];
});

test("the log has its title, its columns, and links to what is still there", async () => {
  await renderAdmin({ address: "/admin/actions", models: [MODEL], server: serve([ENTRY, SYSTEM]) });
  const table = await screen.findByRole("table", undefined, WAIT);
  expect(screen.getByRole("heading", { level: 1, name: "Audit Log" })).toBeTruthy();
  const [, first, second] = within(table).getAllByRole("row");
  if (!first || !second) throw new Error("two rows were expected");
  expect(within(first).getByText("Ada Lovelace")).toBeTruthy();
  expect(await within(first).findByText("Changed: Issuer", undefined, WAIT)).toBeTruthy();
  expect(within(first).getByText("192.0.2.7")).toBeTruthy();
  expect(within(first).getByRole("link", { name: "Light" }).getAttribute("href")).toBe(
    `/admin/models/${MODEL.content_type_id}/objects/4`,
  );
  expect(within(second).getByText("System")).toBeTruthy();
  expect(within(second).queryByRole("link", { name: "Light" })).toBeNull();
  expect(screen.queryByRole("checkbox", { name: /Light/ })).toBeNull();
  expect(screen.queryByRole("button", { name: /Create/ })).toBeNull();
  expect(asked[0]?.searchParams.get("page_size")).toBe("20");
}, 30_000);

test("an entry opens over the list with who, what, from where, and both sides of each field", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: "/admin/actions?search=light",
    models: [MODEL],
    server: serve([ENTRY]),
  });
  await user.click(await screen.findByRole("link", { name: /Update/ }, WAIT));
  const drawer = await screen.findByRole("dialog", undefined, WAIT);
  expect(await within(drawer).findByText("Ada Lovelace (ada)", undefined, WAIT)).toBeTruthy();
  expect(within(drawer).getByText("192.0.2.7")).toBeTruthy();
  expect(await within(drawer).findByRole("table", { name: "Changed fields" }, WAIT)).toBeTruthy();
  expect(
    within(drawer).getByRole("link", { name: "All entries of this object" }).getAttribute("href"),
  ).toContain("object_id%3Aexact%3A4");
  await user.click(within(drawer).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/actions"));
  expect(router.state.location.search).toBe("?search=light");
}, 30_000);

test("the address of an entry opens it at once; one that isn't there says so", async () => {
  await renderAdmin({ address: "/admin/actions/8", models: [MODEL], server: serve([SYSTEM]) });
  expect(
    await screen.findByText(
      "System: the server itself, a visitor, or an account that is gone",
      undefined,
      WAIT,
    ),
  ).toBeTruthy();
  cleanup();
  await renderAdmin({ address: "/admin/actions/77", models: [MODEL], server: serve([SYSTEM]) });
  expect(await screen.findByText("Entry not found", undefined, WAIT)).toBeTruthy();
}, 30_000);

test("empty and failed have the documented words", async () => {
  await renderAdmin({ address: "/admin/actions", models: [MODEL], server: serve([]) });
  expect(await screen.findByText("No actions found", undefined, WAIT)).toBeTruthy();
  cleanup();
  await renderAdmin({
    address: "/admin/actions",
    models: [MODEL],
    server: () => ({ status: 403, body: { message: "Not for you" } }),
  });
  expect(await screen.findByText("Failed to load actions", undefined, WAIT)).toBeTruthy();
}, 30_000);

test("the filters of an address are asked for as documented", async () => {
  await renderAdmin({
    address: "/admin/actions?filter=action_type:exact:LOGIN&filter=user:exact:5",
    models: [MODEL],
    server: serve([ENTRY]),
  });
  await screen.findByRole("table", undefined, WAIT);
  const { searchParams } = asked[0] ?? new URL("https://x.test");
  expect([0, 1].map((at) => searchParams.get(`filters[${at}][field]`))).toEqual(["action_type", "user"]);
  expect([0, 1].map((at) => searchParams.get(`filters[${at}][value]`))).toEqual(["LOGIN", "5"]);
}, 30_000);

describe("what an entry says", () => {
  const say = (more: Partial<ActionEntry>, lang: "en" | "tr" = "en") =>
    describeEntry(toEntry(more), MODEL.fields, createI18n(lang).t, lang);

  test.each([
    [{ action_type: "LOGIN", change_message: "" }, "Logged in", "Giriş yapıldı"],
    [
      { action_type: "LOGIN", detail: "failed_sign_in", change_message: "" },
      "A log-in failed: wrong name or password",
      "Giriş başarısız: ad veya parola yanlış",
    ],
    [
      { action_type: "LOGIN", detail: "verify_email", change_message: "" },
      "Logged in by verifying the e-mail address",
      "E-posta adresi doğrulanarak giriş yapıldı",
    ],
    [
      { action_type: "UPDATE", detail: "verify_email" },
      "Verified the e-mail address",
      "E-posta adresi doğrulandı",
    ],
    [
      { changes: { issuer: { before: "a", after: "b" }, gone: {} } },
      "Changed: Issuer and gone",
      "Değişti: Issuer ve gone",
    ],
    [
      { detail: "permission_change", changes: { is_active: { before: true, after: false } } },
      "Permissions changed: is_active",
      "Yetkiler değişti: is_active",
    ],
    [
      { action_type: "CREATE", detail: "permission_change" },
      "Changed what an account or level may do",
      "Bir hesabın veya düzeyin yetkileri değiştirildi",
    ],
    [{ detail: "move" }, "Moved to another place in the order", "Sırada başka bir yere taşındı"],
    [{ change_message: "Merged by hand" }, "Merged by hand", "Merged by hand"],
    [
      { action_type: "CREATE", change_message: "x", changes: { issuer: { after: "b" } } },
      "Created",
      "Oluşturuldu",
    ],
    [{ action_type: "VIEW", detail: "of_another_back_end", change_message: "" }, "Viewed", "Görüntülendi"],
  ] satisfies [Partial<ActionEntry>, string, string][])("%j", (more, en, tr) => {
    expect(say(more)).toBe(en);
    expect(say(more, "tr")).toBe(tr);
  });
});
