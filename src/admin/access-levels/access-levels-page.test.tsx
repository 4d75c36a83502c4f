import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { Permissions } from "#providers/refine/permissions.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";

const PATH = "/api/users/access-levels/";

function buildLevel(id: number, level: number, names: { en: string; tr: string }, is_core: boolean) {
  return {
    id,
    level,
    name: names.en,
    description: "",
    is_core,
    is_active: true,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    translations: { name: names, description: { en: null, tr: null } },
  };
}

const ADMIN = buildLevel(3, 10, { en: "Admin", tr: "Yönetici" }, true);
const EDITOR = buildLevel(7, 20, { en: "Editor", tr: "Düzenleyen" }, false);

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  ifMatch: string | undefined;
}

async function openLevels(
  options: {
    address?: string;
    lang?: "en" | "tr";
    permissions?: Permissions;
    answer?: (call: Call) => ReturnType<FakeServer> | undefined;
  } = {},
) {
  const { address = "/admin/access-levels", answer, ...rest } = options;
  const calls: Call[] = [];
  const { router } = await renderAdmin({
    address,
    models: [],
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
      if (url.pathname === PATH && method === "GET") {
        const pagination = { page: 1, page_size: 50, total_count: 2, total_pages: 1 };
        return { body: { access_levels: [ADMIN, EDITOR], pagination } };
      }
      return { body: url.pathname === `${PATH}3/` ? ADMIN : EDITOR, etag: '"v1"' };
    },
  });
  const writes = () => calls.filter(({ method }) => method !== "GET");
  return { user: userEvent.setup(), router, calls, writes };
}

const openDialog = async () => within(await screen.findByRole("dialog"));

afterEach(cleanup);

test("the list asks for pages of 50, and a core level can't be deleted and says why", async () => {
  const { user, calls } = await openLevels();
  const remove = await screen.findByRole("button", { name: "Delete Admin (10)" });
  expect(remove.getAttribute("aria-disabled")).toBe("true");
  expect(remove.getAttribute("aria-description")).toBe(
    "This access level is part of the site: it stays, with its number.",
  );
  await user.click(remove);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls.find(({ path }) => path === PATH)?.query.get("page_size")).toBe("50");
});

test("a new level is sent with its names in both languages", async () => {
  const { user, writes } = await openLevels();
  await user.click(await screen.findByRole("button", { name: "Add access level" }));
  const dialog = await openDialog();
  await user.type(await dialog.findByRole("textbox", { name: "Level" }), "20");
  await user.type(dialog.getByRole("textbox", { name: "Name (English)" }), "Editor");
  await user.type(dialog.getByRole("textbox", { name: "Name (Turkish)" }), "Düzenleyen");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(writes()[0]).toMatchObject({
    method: "POST",
    path: PATH,
    body: { level: 20, name: { en: "Editor", tr: "Düzenleyen" }, is_active: true },
  });
});

test("a core level keeps its number, and only what changed is sent", async () => {
  const { user, writes } = await openLevels({ address: "/admin/access-levels/3" });
  const dialog = await openDialog();
  const name = await dialog.findByRole("textbox", { name: "Name (Turkish)" });
  expect(dialog.queryByRole("textbox", { name: "Level" })).toBeNull();
  expect(dialog.queryByRole("switch")).toBeNull();
  expect(dialog.getByText(/can't be deleted, renumbered or switched off/)).toBeTruthy();
  await user.clear(name);
  await user.type(name, "Yetkili");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(writes()).toHaveLength(1));
  expect(writes()[0]).toMatchObject({
    method: "PUT",
    path: `${PATH}3/`,
    body: { name: { en: "Admin", tr: "Yetkili" } },
    ifMatch: '"v1"',
  });
});

test("another number is asked about before everybody who has it is touched", async () => {
  const { user, writes } = await openLevels({ address: "/admin/access-levels/7" });
  const dialog = await openDialog();
  const level = await dialog.findByRole("textbox", { name: "Level" });
  await user.clear(level);
  await user.type(level, "30");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/from level 20 to level 30/)).toBeTruthy();
  expect(writes()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Renumber" }));
  await waitFor(() => expect(writes()[0]?.body).toEqual({ level: 30 }));
});

test("the server's refusal of a deletion is shown under the documented words", async () => {
  const { user } = await openLevels({
    answer: ({ method }) =>
      method === "DELETE"
        ? { status: 409, body: { message: "Other objects still refer to this one." } }
        : undefined,
  });
  await user.click(await screen.findByRole("button", { name: "Delete Editor (20)" }));
  await user.click((await openDialog()).getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Failed to delete access level")).toBeTruthy();
  expect(screen.getByText("Other objects still refer to this one.")).toBeTruthy();
});

test("a failed list says so in the documented words", async () => {
  await openLevels({ answer: () => ({ status: 403, body: { message: "No" } }) });
  expect(await screen.findByText("Failed to fetch access levels")).toBeTruthy();
});

test("who may only look gets no buttons", async () => {
  const permissions: Permissions = {
    isSuperuser: false,
    accessLevel: 10,
    can: (permission) => permission === "view",
  };
  await openLevels({ permissions, lang: "tr" });
  await screen.findByRole("link", { name: "Düzenleyen" });
  expect(screen.queryByRole("button", { name: /Sil|Düzenle:|ekle/ })).toBeNull();
});
