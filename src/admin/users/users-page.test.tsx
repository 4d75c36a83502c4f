import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { Permissions } from "#providers/refine/permissions.ts";
import { type FakeServer, renderAdmin, SOMEBODY } from "../test-admin.tsx";

const OWN_ID = 1;

function buildUser(part: object) {
  return {
    id: 5,
    username: "ada",
    email: "ada@example.org",
    first_name: "Ada",
    last_name: "Lovelace",
    date_joined: "2026-03-04T12:00:00Z",
    is_staff: true,
    is_superuser: false,
    access_level: 10,
    access_level_name: "Admin",
    is_email_verified: true,
    is_active: true,
    last_login: null,
    ...part,
  };
}

const OWNER = buildUser({
  id: OWN_ID,
  username: "owner",
  first_name: "",
  last_name: "",
  access_level: 999,
  access_level_name: "Superuser",
});
const ADA = buildUser({});
const BOB = buildUser({
  id: 6,
  username: "bob",
  first_name: "",
  last_name: "",
  is_staff: false,
  is_active: false,
});

const LEVELS = [
  [1, "User", true],
  [5, "Moderator", false],
  [10, "Admin", true],
  [999, "Superuser", true],
].map(([level, name, is_active]) => ({
  id: level,
  level,
  name,
  description: "",
  is_core: true,
  is_active,
  created_at: "",
  updated_at: "",
}));

const paged = (total_count: number) => ({ page: 1, page_size: 20, total_count, total_pages: 1 });

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  ifMatch: string | undefined;
}

/** The users' screen over a server whose writes a test may answer itself. */
async function openUsers(
  options: {
    address?: string;
    users?: object[];
    lang?: "en" | "tr";
    permissions?: Permissions;
    answer?: (call: Call) => ReturnType<FakeServer> | undefined;
  } = {},
) {
  const { users = [OWNER, ADA, BOB], address = "/admin/users", answer, ...rest } = options;
  const calls: Call[] = [];
  const state: AuthState = { ...SOMEBODY, user: { ...SOMEBODY.user, id: OWN_ID } };
  const { router } = await renderAdmin({
    address,
    models: [],
    session: {
      subscribe: () => () => {},
      getAuthState: () => state,
      signIn: async () => state,
      restore: async () => state,
    },
    ...rest,
    server({ method, url, body, headers }) {
      const call = {
        method,
        path: url.pathname,
        query: url.searchParams,
        body,
        ifMatch: headers["If-Match"],
      };
      calls.push(call);
      const own = answer?.(call);
      if (own) return own;
      if (url.pathname === "/api/users/access-levels/")
        return { body: { access_levels: LEVELS, pagination: paged(LEVELS.length) } };
      if (url.pathname === "/api/admin/users/") return { body: { users, pagination: paged(users.length) } };
      const found = [OWNER, ADA, BOB].find(({ id }) => url.pathname === `/api/users/${id}/`);
      return { body: { ...(found ?? ADA), ...(body as object) }, etag: '"v1"' };
    },
  });
  const writes = () => calls.filter(({ method }) => method !== "GET");
  return { user: userEvent.setup(), router, calls, writes };
}

const findRow = async (name: string) => {
  const cell = await screen.findByRole("link", { name: new RegExp(name) });
  const row = cell.closest("tr");
  if (!row) throw new Error(`${name} stands in no row`);
  return within(row);
};

afterEach(cleanup);

test("the list asks for pages of 20 and shows the documented columns", async () => {
  const { calls } = await openUsers();
  const ada = await findRow("Ada Lovelace");
  expect(ada.getByText("ada")).toBeTruthy();
  expect(
    ada.getByText(
      (_text, element) => element?.textContent === "ada@example.org" && element.tagName === "SPAN",
    ),
  ).toBeTruthy();
  expect(ada.getByText("Mar 4, 2026")).toBeTruthy();
  expect(ada.getByText("Active")).toBeTruthy();
  expect(ada.getByText("(10)").parentElement?.textContent).toBe("Admin (10)");
  expect(ada.getByText("Yes")).toBeTruthy();
  const bob = await findRow("bob");
  expect(bob.getByText("Inactive")).toBeTruthy();
  expect(bob.getByText("Suspended")).toBeTruthy();
  const list = calls.find(({ path }) => path === "/api/admin/users/");
  expect(list?.query.get("page_size")).toBe("20");
});

test("a list without anybody says so, and a failed one too, in the documented words", async () => {
  await openUsers({ users: [] });
  expect(await screen.findByText("No users found")).toBeTruthy();
  cleanup();
  await openUsers({
    answer: ({ path }) =>
      path === "/api/admin/users/" ? { status: 403, body: { message: "No" } } : undefined,
  });
  expect(await screen.findByText("Failed to load users")).toBeTruthy();
});

test("levels that can't be fetched are reported, with the way to try again", async () => {
  let isDown = true;
  const { user } = await openUsers({
    answer: ({ path }) =>
      isDown && path === "/api/users/access-levels/" ? { status: 403, body: { message: "No" } } : undefined,
  });
  const alert = within(
    await screen
      .findByText("Failed to fetch access levels")
      .then((text) => text.closest<HTMLElement>("[role=alert]") ?? text),
  );
  isDown = false;
  await user.click(alert.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(screen.queryByText("Failed to fetch access levels")).toBeNull());
});

test("a new account gets its level as a number, and the form says that the person chooses the password", async () => {
  const { user, router, writes } = await openUsers({
    answer: ({ method }) => (method === "POST" ? { body: ADA } : undefined),
  });
  await user.click(await screen.findByRole("button", { name: "Add User" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/Nobody knows the password of a new account/)).toBeTruthy();
  await user.type(await dialog.findByRole("textbox", { name: "Username" }), "ada");
  await user.type(dialog.getByRole("textbox", { name: "Email" }), "ada@example.org");
  await user.click(dialog.getByRole("combobox", { name: "Access level" }));
  // A level that is off is given to nobody.
  expect(screen.queryByText("Moderator (5)")).toBeNull();
  await user.click(await screen.findByTitle("Admin (10)"));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(writes()[0]).toMatchObject({
    method: "POST",
    path: "/api/users/",
    body: { username: "ada", email: "ada@example.org", access_level: 10, is_email_verified: false },
  });
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/users/5"));
});

test("what the server refuses stands under its field, with what was typed", async () => {
  const { user } = await openUsers({
    address: "/admin/users/1",
    answer: ({ method }) =>
      method === "PUT"
        ? {
            status: 409,
            body: {
              message: "No superuser left",
              code: "last_superuser",
              errors: [
                {
                  field: "access_level",
                  code: "last_superuser",
                  message: "This site would have no superuser left.",
                },
              ],
            },
          }
        : undefined,
  });
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("combobox", { name: "Access level" }));
  await user.click(await screen.findByTitle("Admin (10)"));
  await user.click(dialog.getByRole("button", { name: "Save" }));
  // One's own level is lowered only after a question.
  await user.click(await screen.findByRole("button", { name: "Lower my level" }));
  expect(await dialog.findByText("This site would have no superuser left.")).toBeTruthy();
  // Typed things stay.
  expect(dialog.getByTitle("Admin (10)")).toBeTruthy();
});

test("suspending asks first, says what happens, and writes over nobody else's change", async () => {
  const { user, writes } = await openUsers();
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "Suspend Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/logged out everywhere at once/)).toBeTruthy();
  expect(writes()).toEqual([]);
  const suspend = dialog.getByRole<HTMLButtonElement>("button", { name: "Suspend" });
  await waitFor(() => expect(suspend.disabled).toBe(false));
  await user.click(suspend);
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(writes()[0]).toMatchObject({
    method: "PUT",
    path: "/api/users/5/",
    body: { is_active: false },
    ifMatch: '"v1"',
  });
});

test("ending somebody's sessions asks first, says what it does and how many ended", async () => {
  const { user, writes } = await openUsers({
    answer: ({ method, path }) =>
      method === "DELETE" && path === "/api/users/5/sessions/" ? { body: { ended: 3 } } : undefined,
  });
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "End all sessions of Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/logged out everywhere at once/)).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "End all sessions" }));
  expect(await screen.findByText("3 sessions of Ada Lovelace (ada) were ended")).toBeTruthy();
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /api/users/5/sessions/"]);
});

test("a refusal to end sessions is said, and one's own and those of the suspended aren't offered", async () => {
  const { user } = await openUsers({
    lang: "tr",
    answer: ({ method }) =>
      method === "DELETE"
        ? { status: 403, body: { message: "Olmaz.", code: "permission_denied", status: 403, errors: [] } }
        : undefined,
  });
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "Tüm oturumlarını sonlandır: Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Tüm oturumları sonlandır" }));
  expect(await screen.findByText("Oturumlar sonlandırılamadı")).toBeTruthy();
  const owner = (await findRow("owner")).getByRole("button", { name: "Tüm oturumlarını sonlandır: owner" });
  expect(owner.getAttribute("aria-description")).toMatch(/kendi oturumlarınız/);
  expect((await findRow("bob")).queryByRole("button", { name: /oturumlarını sonlandır/ })).toBeNull();
});

test("an opened account has the same action over it", async () => {
  const { user } = await openUsers({ address: "/admin/users/5/view" });
  await user.click(await screen.findByRole("button", { name: "End all sessions" }));
  expect(await screen.findByText("End all sessions of Ada Lovelace (ada)?")).toBeTruthy();
});

test("whom somebody else has suspended meanwhile is not reinstated by the same button", async () => {
  const { user, writes } = await openUsers({
    answer: ({ path }) =>
      path === "/api/users/5/" ? { body: { ...ADA, is_active: false }, etag: '"v2"' } : undefined,
  });
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "Suspend Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/Somebody else has already suspended/)).toBeTruthy();
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Suspend" }).disabled).toBe(true);
  expect(dialog.queryByRole("button", { name: "Reinstate" })).toBeNull();
  expect(writes()).toEqual([]);
});

test("a suspended person can be reinstated", async () => {
  const { user, writes } = await openUsers();
  const bob = await findRow("bob");
  await user.click(bob.getByRole("button", { name: "Reinstate bob" }));
  const dialog = within(await screen.findByRole("dialog"));
  const reinstate = dialog.getByRole<HTMLButtonElement>("button", { name: "Reinstate" });
  await waitFor(() => expect(reinstate.disabled).toBe(false));
  await user.click(reinstate);
  await waitFor(() => expect(writes()[0]?.body).toEqual({ is_active: true }));
});

describe("who waits for a decision", () => {
  const WAITING = { ...BOB, is_active: true, access_level: 0, admission: "waiting" };
  const answer = ({ method, path }: Call) =>
    method === "GET" && path === "/api/users/6/" ? { body: WAITING, etag: '"v1"' } : undefined;

  test.each([
    ["Approve", "admitted"],
    ["Refuse", "refused"],
  ])("stands out in the list; %s asks first and says what follows", async (name, admission) => {
    const { user, writes } = await openUsers({ users: [OWNER, WAITING], answer });
    const row = await findRow("bob");
    expect(row.getByText("Waiting")).toBeTruthy();
    expect(row.queryByRole("button", { name: "Suspend bob" })).toBeNull();
    await user.click(row.getByRole("button", { name: `${name} bob` }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/A mail tells them\.$/)).toBeTruthy();
    expect(writes()).toEqual([]);
    const button = dialog.getByRole<HTMLButtonElement>("button", { name });
    await waitFor(() => expect(button.disabled).toBe(false));
    await user.click(button);
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]).toMatchObject({ path: "/api/users/6/", body: { admission }, ifMatch: '"v1"' });
  });

  const STATE = { cause: "bounce", reason: "No such mailbox.", since: "2026-03-04T12:00:00Z" };
  test.each([
    ["is suspended", { is_active: false }, /The account is suspended as well/],
    [
      "has proven no address",
      { is_email_verified: false },
      /No mail tells them: their address isn't confirmed/,
    ],
    [
      "gets no mail at all",
      { mail_state: { ...STATE, state: "stopped", scope: "all" } },
      /No mail tells them: mail to ada@example.org is stopped. No such mailbox\./,
    ],
    [
      "wants no optional mail",
      { mail_state: { ...STATE, cause: "unsubscribe", state: "stopped", scope: "optional" } },
      /A mail tells them\.$/,
    ],
    [
      "had a mail that came back",
      { mail_state: { ...STATE, state: "returned", scope: null } },
      /A mail tells them, but the last one to ada@example.org came back. No such mailbox\./,
    ],
  ])("and %s: the question says what becomes of the mail", async (_name, part, text) => {
    const person = { ...WAITING, ...part };
    const { user } = await openUsers({
      users: [OWNER, person],
      answer: ({ path }) => (path === "/api/users/6/" ? { body: person, etag: '"v1"' } : undefined),
    });
    const row = await findRow("bob");
    await user.click(row.getByRole("button", { name: "Approve bob" }));
    expect(within(await screen.findByRole("dialog")).getByText(text)).toBeTruthy();
  });

  test("is decided about over the opened account too, and nobody waits anew", async () => {
    const { user, writes } = await openUsers({ users: [WAITING], address: "/admin/users/6", answer });
    const drawer = within(await screen.findByRole("dialog"));
    expect(await drawer.findByText(/waits for your decision/)).toBeTruthy();
    await user.click(drawer.getByRole("button", { name: "Approve" }));
    const title = await screen.findByText("Approve bob?");
    const dialog = within(title.closest<HTMLElement>("[role=dialog]") ?? title);
    const button = dialog.getByRole<HTMLButtonElement>("button", { name: "Approve" });
    await waitFor(() => expect(button.disabled).toBe(false));
    await user.click(button);
    await waitFor(() => expect(writes()[0]?.body).toEqual({ admission: "admitted" }));
  });

  test("about whom somebody else has decided meanwhile nobody decides by the same button", async () => {
    const { user, writes } = await openUsers({
      users: [WAITING],
      answer: ({ path }) =>
        path === "/api/users/6/" ? { body: { ...WAITING, admission: "refused" }, etag: '"v2"' } : undefined,
    });
    await user.click((await findRow("bob")).getByRole("button", { name: "Approve bob" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText(/Somebody else has already decided/)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Approve" }).disabled).toBe(true);
    expect(writes()).toEqual([]);
  });

  test("who was refused can be approved after all; of everybody else the form says nothing of it", async () => {
    await openUsers({ users: [{ ...WAITING, admission: "refused" }, ADA] });
    const row = await findRow("bob");
    expect(row.getByText("Refused")).toBeTruthy();
    expect(row.queryByRole("button", { name: "Refuse bob" })).toBeNull();
    expect(row.getByRole("button", { name: "Approve bob" })).toBeTruthy();
    expect((await findRow("Ada Lovelace")).queryByRole("button", { name: /^Approve/ })).toBeNull();
    cleanup();
    await openUsers({ address: "/admin/users/5" });
    const form = within(await screen.findByRole("dialog"));
    expect(await form.findByRole("textbox", { name: "Username" })).toBeTruthy();
    expect(form.queryByRole("combobox", { name: "Admission" })).toBeNull();
  });
});

test("a superuser can't be deleted, nor oneself suspended, and the buttons say why", async () => {
  const { user, writes } = await openUsers();
  const owner = await findRow("owner");
  const remove = owner.getByRole("button", { name: "Delete owner" });
  expect(remove.getAttribute("aria-disabled")).toBe("true");
  expect(remove.getAttribute("aria-description")).toMatch(/A superuser is not deleted/);
  const suspend = owner.getByRole("button", { name: "Suspend owner" });
  expect(suspend.getAttribute("aria-description")).toMatch(/your own account/);
  await user.click(remove);
  await user.click(suspend);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(writes()).toEqual([]);
});

test("a deletion names the person and goes to the documented endpoint", async () => {
  const { user, writes } = await openUsers({
    answer: ({ method }) => (method === "DELETE" ? { status: 500, body: { message: "Not now" } } : undefined),
  });
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "Delete Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("Delete “Ada Lovelace (ada)”?")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(writes()[0]).toMatchObject({ method: "DELETE", path: "/api/users/5/" }));
  expect(await screen.findByText("Failed to delete user")).toBeTruthy();
});

test("View shows the account as text, with the way to its actions and to its form", async () => {
  const { user, router } = await openUsers();
  const ada = await findRow("Ada Lovelace");
  await user.click(ada.getByRole("button", { name: "View Ada Lovelace (ada)" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(router.state.location.pathname).toBe("/admin/users/5/view");
  const link = await dialog.findByRole("link", { name: "Actions in the audit log" });
  expect(link.getAttribute("href")).toBe("/admin/actions?filter=user:exact:5");
  expect(dialog.queryByRole("textbox")).toBeNull();
  expect(dialog.getByText("Admin (10)")).toBeTruthy();
  await user.click(dialog.getByRole("link", { name: "Edit" }));
  expect(await dialog.findByRole("textbox", { name: "Username" })).toBeTruthy();
});

test("who is above the reader can be looked at only", async () => {
  const permissions: Permissions = {
    isSuperuser: false,
    accessLevel: 10,
    can: (permission) => permission !== "delete",
  };
  await openUsers({ address: "/admin/users/1", permissions });
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/above yours/)).toBeTruthy();
  expect(dialog.queryByRole("textbox")).toBeNull();
  expect(dialog.queryByRole("button", { name: "Save" })).toBeNull();
});

test("the screen speaks Turkish", async () => {
  await openUsers({ lang: "tr" });
  const bob = await findRow("bob");
  expect(bob.getByText("Askıda")).toBeTruthy();
  expect(bob.getByRole("button", { name: "Askıdan çıkar: bob" })).toBeTruthy();
  expect(screen.getByRole("button", { name: /Kullanıcı ekle/ })).toBeTruthy();
});

test("the list is exported on its own screen, in the names of the content model", async () => {
  const permissions = {
    isSuperuser: true,
    accessLevel: 999,
    can: () => true,
    findContentType: (model: string) => (model === "accounts.user" ? 3 : undefined),
  };
  const { user, calls } = await openUsers({
    address: "/admin/users?sort=-date_joined&filter=is_staff:exact:true",
    permissions,
  });
  await findRow("Ada Lovelace");
  await user.click(screen.getByTitle("Export every row of this list"));
  await user.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await waitFor(() => expect(calls.at(-1)?.path).toBe("/api/admin/models/3/objects/export/"));
  expect(calls.at(-1)?.query.get("sort[0][field]")).toBe("created_at");
  expect(calls.at(-1)?.query.get("filters[0][field]")).toBe("is_staff");
});
