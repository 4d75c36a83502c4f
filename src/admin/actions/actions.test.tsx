import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type ActionEntry, actionEntry } from "#contract/accounts/admin-users.ts";
import { createI18n } from "#providers/i18n.ts";
import { type FakeServer, renderAdmin, showOnPhone } from "../test-admin.tsx";
import { describeEntry } from "../views/history/describe-entry.ts";
import { buildField, buildModel } from "../views/test-model.ts";

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
  const table = await screen.findByRole("table");
  expect(screen.getByRole("heading", { level: 1, name: "Audit Log" })).toBeTruthy();
  const [, first, second] = within(table).getAllByRole("row");
  if (!first || !second) throw new Error("two rows were expected");
  expect(within(first).getByText("Ada Lovelace")).toBeTruthy();
  expect(await within(first).findByText("Changed: Issuer")).toBeTruthy();
  expect(within(first).getByText("192.0.2.7")).toBeTruthy();
  expect(within(first).getByRole("link", { name: "Light" }).getAttribute("href")).toBe(
    `/admin/models/${MODEL.content_type_id}/objects/4`,
  );
  expect(within(second).getByText("System")).toBeTruthy();
  expect(within(second).queryByRole("link", { name: "Light" })).toBeNull();
  expect(screen.queryByRole("checkbox", { name: /Light/ })).toBeNull();
  expect(screen.queryByRole("button", { name: /Create/ })).toBeNull();
  expect(asked[0]?.searchParams.get("page_size")).toBe("20");
});

test("an entry opens over the list with who, what, from where, and both sides of each field", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: "/admin/actions?search=light",
    models: [MODEL],
    server: serve([ENTRY]),
  });
  await user.click(await screen.findByRole("link", { name: /Update/ }));
  const drawer = await screen.findByRole("dialog");
  expect(await within(drawer).findByText("Ada Lovelace (ada)")).toBeTruthy();
  expect(within(drawer).getByText("192.0.2.7")).toBeTruthy();
  expect(await within(drawer).findByRole("table", { name: "Changed fields" })).toBeTruthy();
  expect(
    within(drawer).getByRole("link", { name: "All entries of this object" }).getAttribute("href"),
  ).toContain("object_id%3Aexact%3A4");
  await user.click(within(drawer).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/actions"));
  expect(router.state.location.search).toBe("?search=light");
});

test("a double click on a row opens its entry once, and one close leads back", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: "/admin/actions",
    models: [MODEL],
    server: serve([ENTRY]),
  });
  const cell = await screen.findByText("192.0.2.7");
  await user.dblClick(cell);
  const drawer = await screen.findByRole("dialog");
  expect(router.state.location.pathname).toBe("/admin/actions/9");
  await user.click(await within(drawer).findByRole("button", { name: "Close" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/actions"));
});

test("the address of an entry opens it at once; one that isn't there says so", async () => {
  await renderAdmin({ address: "/admin/actions/8", models: [MODEL], server: serve([SYSTEM]) });
  expect(await screen.findByText("System: the server itself, or a visitor")).toBeTruthy();
  cleanup();
  await renderAdmin({ address: "/admin/actions/77", models: [MODEL], server: serve([SYSTEM]) });
  expect(await screen.findByText("Entry not found")).toBeTruthy();
});

test("empty and failed have the documented words", async () => {
  await renderAdmin({ address: "/admin/actions", models: [MODEL], server: serve([]) });
  expect(await screen.findByText("No actions found")).toBeTruthy();
  cleanup();
  await renderAdmin({
    address: "/admin/actions",
    models: [MODEL],
    server: () => ({ status: 403, body: { message: "Not for you" } }),
  });
  expect(await screen.findByText("Failed to load actions")).toBeTruthy();
});

test("the filters of an address are asked for as documented", async () => {
  await renderAdmin({
    address: "/admin/actions?filter=action_type:exact:LOGIN&filter=user:exact:5",
    models: [MODEL],
    server: serve([ENTRY]),
  });
  await screen.findByRole("table");
  const { searchParams } = asked[0] ?? new URL("https://x.test");
  expect([0, 1].map((at) => searchParams.get(`filters[${at}][field]`))).toEqual(["action_type", "user"]);
  expect([0, 1].map((at) => searchParams.get(`filters[${at}][value]`))).toEqual(["LOGIN", "5"]);
});

const LOG = buildModel({
  content_type_id: 90,
  app_label: "audit",
  model_name: "entry",
  count: 7000,
  fields: [buildField({ name: "is_folded", verbose_name: "Folded" })],
});
const LEAD = toEntry({ id: 10, detail: "bulk", batch: { id: "b1", count: 6506, is_more: false } });
const readFilters = ({ searchParams }: URL) =>
  [0, 1, 2].flatMap((at) => {
    const part = (name: string) => searchParams.get(`filters[${at}][${name}]`);
    return part("field") === null ? [] : [`${part("field")} ${part("operator")} ${part("value")}`];
  });

test("a bulk operation is one line, whose number of objects opens their entries", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: "/admin/actions",
    models: [MODEL, LOG],
    server: serve([LEAD, ENTRY]),
  });
  const lead = await screen.findByRole("link", { name: "6,506 objects" });
  expect(asked.map(readFilters)).toEqual([["is_folded exact false"]]);
  await user.click(lead);
  await waitFor(() => expect(asked.map(readFilters).at(-1)).toEqual(["batch_id exact b1"]));
  expect(router.state.location.search).toBe("?filter=batch_id%3Aexact%3Ab1");
  // Here each line is an entry of its own.
  await waitFor(() => expect(screen.queryByRole("link", { name: "6,506 objects" })).toBeNull());
});

test.each([
  ["?search=light", []],
  ["?filter=object_id:exact:4", ["object_id exact 4"]],
  ["?filter=is_folded:isnull:false", ["is_folded isnull false"]],
  ["?filter=user:exact:5", ["user exact 5", "is_folded exact false"]],
  ["?filter=batch_id:isnull:false", ["batch_id isnull false", "is_folded exact false"]],
])("%s asks for %j", async (search, filters) => {
  await renderAdmin({ address: `/admin/actions${search}`, models: [MODEL, LOG], server: serve([ENTRY]) });
  await screen.findByRole("table");
  expect(asked.map(readFilters).at(-1)).toEqual(filters);
});

describe("the filter by user", () => {
  const PEOPLE = [{ ...ADA, email: "ada@x.test", date_joined: "2026-01-01T00:00:00Z" }].map((person) => ({
    ...person,
    is_staff: true,
    is_superuser: false,
    access_level: 10,
    access_level_name: "Admin",
    is_email_verified: true,
  }));
  const GONE = toEntry({ id: 7, action_type: "DELETE", object_id: "12", object_repr: "deleted account 12" });
  const open = (address: string) =>
    renderAdmin({
      address,
      models: [MODEL, LOG],
      permissions: { isSuperuser: true, accessLevel: 999, can: () => true, findContentType: () => 30 },
      server(call) {
        const { url } = call;
        const pagination = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
        if (url.pathname === "/api/admin/users/") return { body: { users: PEOPLE, pagination } };
        if (url.pathname === "/api/users/5/") return { body: PEOPLE[0] };
        if (url.pathname.startsWith("/api/users/")) return { status: 404, body: { message: "Not found" } };
        const isOfDeleted = readFilters(url).includes("content_type_id exact 30");
        return serve(isOfDeleted ? [GONE] : [ENTRY])(call);
      },
    });

  test("offers everybody, the server itself, people and deleted accounts, and has an address", async () => {
    const user = userEvent.setup();
    const { router } = await open("/admin/actions");
    await screen.findByRole("table");
    const input = screen.getByRole("combobox", { name: "User" });
    await user.click(input);
    expect(await screen.findByTitle("Ada Lovelace")).toBeTruthy();
    expect(screen.getByTitle("System")).toBeTruthy();
    await user.click(await screen.findByTitle("deleted account 12"));
    await waitFor(() => expect(router.state.location.search).toBe("?filter=user%3Aexact%3A12"));
    expect(asked.map(readFilters).at(-1)).toContain("user exact 12");
  });

  test.each([
    ["user:exact:5", "Ada Lovelace"],
    ["user:exact:12", "deleted account 12"],
    ["user:isnull:true", "System"],
  ])("shows %s of an address as %s, and no chip beside", async (filter, name) => {
    await open(`/admin/actions?filter=${filter}`);
    const shown = await screen.findAllByTitle(name);
    expect(shown.some((element) => element.classList.contains("ant-select-selection-item"))).toBe(true);
    expect(screen.queryByRole("list", { name: "Filters" })).toBeNull();
  });

  test("on a phone it stands in the sheet alone, and is counted at the button that opens it", async () => {
    const showWide = showOnPhone();
    try {
      const user = userEvent.setup();
      await open("/admin/actions?filter=user:isnull:true");
      await user.click(await screen.findByRole("button", { name: "Filter and sort, 1 filter on" }));
      expect(await screen.findAllByTitle("System")).not.toEqual([]);
      expect(screen.queryByRole("list", { name: "Filters" })).toBeNull();
    } finally {
      showWide();
    }
  });
});

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
      "Logged in by verifying the email address",
      "E-posta adresi doğrulanarak giriş yapıldı",
    ],
    [
      { action_type: "UPDATE", detail: "verify_email" },
      "Verified the email address",
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
    [
      { detail: "voice_ban", change_message: "#12" },
      "Banned person #12 from the room",
      "#12 numaralı kişinin odaya girmesi yasaklandı",
    ],
    [
      { action_type: "DELETE", detail: "voice_unmute", change_message: "Deleted" },
      "Lifted a mute in a room",
      "Odadaki bir susturma kaldırıldı",
    ],
    [
      { action_type: "DELETE", detail: "lift", change_message: "The mailbox works." },
      "Let mail through: The mailbox works.",
      "E-postaya yeniden izin verildi: The mailbox works.",
    ],
    [
      { detail: "note,owner_id", change_message: "" },
      "Changed the note and who takes care of it",
      "Not ve ilgilenen kişi değiştirildi",
    ],
    [
      { action_type: "CREATE", detail: "undo", change_message: "" },
      "Undone: mail is stopped again",
      "Geri alındı: e-posta yeniden durduruldu",
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
