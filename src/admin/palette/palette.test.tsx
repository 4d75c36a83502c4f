import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { Permissions } from "#providers/refine/permissions.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

const MODEL = buildModel({ fields: [buildField({ name: "issuer", verbose_name: "Issuer" })] });
const RECORD = { id: 4, repr: "Işık", issuer: "ACME" };
const PAGINATION = { page: 1, page_size: 20, total_count: 1, total_pages: 1, count_is_estimate: false };
const NONE: FakeServer = () => ({ status: 404, body: { message: "Not found" } });

let searches: string[];

/** The model's list and one record, and a search that answers as the test says. */
function serve(search: FakeServer): FakeServer {
  return (call) => {
    const { pathname, searchParams } = call.url;
    if (pathname === "/api/admin/search/") {
      searches.push(searchParams.get("search") ?? "");
      return search(call);
    }
    if (/\/objects\/\d+\/$/.test(pathname)) return { body: RECORD };
    if (pathname.endsWith("/objects/")) return { body: { objects: [RECORD], pagination: PAGINATION } };
    return { status: 404, body: {} };
  };
}

const found: FakeServer = () => ({
  body: {
    results: [
      { content_type_id: MODEL.content_type_id, verbose_name: "Certificate", id: 4, repr: "Işık" },
      { content_type_id: 999, verbose_name: "Elsewhere", id: 1, repr: "Işıksız" },
    ],
  },
});

async function open(search: FakeServer = NONE, more: { permissions?: Permissions; lang?: "en" | "tr" } = {}) {
  const user = userEvent.setup();
  const opened = await renderAdmin({
    address: `/admin/models/${MODEL.content_type_id}`,
    models: [MODEL],
    server: serve(search),
    ...more,
  });
  await screen.findByRole("table");
  await user.keyboard("{Control>}k{/Control}");
  const input = await screen.findByRole("combobox", { name: /Screens|Ekranlar/ });
  return { user, input, ...opened };
}

const options = () =>
  screen.getAllByRole("option").map((option) => option.querySelector(".palette-label")?.textContent);
const active = (input: HTMLElement) =>
  document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.querySelector(".palette-label")
    ?.textContent;

beforeEach(() => {
  searches = [];
  sessionStorage.clear();
  // jsdom has dialogs that don't open.
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true;
    this.querySelector("input")?.focus();
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(cleanup);

test("the keys open it, and it lists screens, models and actions in groups", async () => {
  await open();
  for (const group of ["Screens", "Models", "Actions"])
    expect(screen.getByRole("group", { name: group })).toBeTruthy();
  expect(options()).toEqual(
    expect.arrayContaining(["Dashboard", "Audit Log", MODEL.verbose_name_plural, "Log out"]),
  );
  expect(options()).not.toContain(`New: ${MODEL.verbose_name}`);
});

test("arrows choose, Enter goes there, and what was chosen is recent the next time", async () => {
  const { user, input, router } = await open();
  await user.type(input, "audit");
  expect(active(input)).toBe("Audit Log");
  expect(document.querySelector("mark")?.textContent).toBe("Audit");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/actions"));
  expect(screen.queryByRole("combobox", { name: /Screens/ })).toBeNull();
});

test("arrows go around", async () => {
  const { user, input } = await open();
  const [first] = options();
  expect(active(input)).toBe(first);
  await user.keyboard("{ArrowUp}");
  expect(active(input)).toBe(options().at(-1));
  await user.keyboard("{ArrowDown}");
  expect(active(input)).toBe(first);
});

test("records come from the server once the typing pauses, and lead to their forms", async () => {
  const { user, input, router } = await open(found);
  await user.type(input, "ışık");
  const group = await screen.findByRole("group", { name: "Records" });
  // One of a model that isn't known here leads nowhere.
  expect(within(group).getAllByRole("option")).toHaveLength(1);
  expect(searches).toEqual(["ışık"]);
  await user.click(within(group).getByRole("option", { name: /Işık/ }));
  await waitFor(() =>
    expect(router.state.location.pathname).toBe(`/admin/models/${MODEL.content_type_id}/objects/4`),
  );
});

test("one letter asks nothing, and a back end without the search simply has no records", async () => {
  const { user, input } = await open();
  await user.type(input, "q");
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)));
  expect(searches).toEqual([]);
  await user.type(input, "zx");
  await waitFor(() => expect(searches).toEqual(["qzx"]));
  expect(await screen.findAllByText("Nothing found for “qzx”")).not.toHaveLength(0);
  expect(input.getAttribute("aria-expanded")).toBe("false");
});

test("a search that fails says so", async () => {
  const { user, input } = await open(() => ({ status: 503, body: { message: "Too busy" } }));
  await user.type(input, "audit");
  expect(await screen.findByText("Records could not be searched: Too busy")).toBeTruthy();
  expect(options()).toContain("Audit Log");
});

test("Turkish is found without its marks, and by its English name", async () => {
  const { user, input } = await open(NONE, { lang: "tr" });
  await user.type(input, "kullanici");
  expect(options()).toContain("Kullanıcılar");
  await user.clear(input);
  await user.type(input, "audit log");
  expect(active(input)).toBe("Denetim günlüğü");
});

test("what the permissions lack is not offered", async () => {
  const permissions: Permissions = {
    isSuperuser: false,
    accessLevel: 10,
    can: (_, model) => model !== "accounts.user",
  };
  await open(NONE, { permissions });
  expect(options()).not.toContain("Users");
  expect(options()).toContain("Audit Log");
});

test("typed things are asked about before they are left", async () => {
  const { user, router } = await open();
  await user.keyboard("{Control>}k{/Control}");
  await act(() => router.navigate(`/admin/models/${MODEL.content_type_id}/objects/4`));
  await user.type(await screen.findByRole("textbox", { name: "Issuer" }), " Inc.");
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox", { name: /Screens/ }), "audit{Enter}");
  expect(await screen.findByText("Leave without saving?")).toBeTruthy();
  expect(screen.queryByRole("combobox", { name: /Screens/ })).toBeNull();
});

test("? lists the shortcuts of the screen, and single keys can be turned off there", async () => {
  const user = userEvent.setup();
  await renderAdmin({
    address: `/admin/models/${MODEL.content_type_id}`,
    models: [MODEL],
    server: serve(NONE),
  });
  await screen.findByRole("table");
  await user.keyboard("?");
  const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  for (const group of ["This screen", "Everywhere"])
    expect(within(sheet).getByRole("region", { name: group })).toBeTruthy();
  await user.click(within(sheet).getByRole("switch", { name: "Keyboard shortcuts on" }));
  expect(within(sheet).queryByRole("region", { name: "This screen" })).toBeNull();
  expect(within(sheet).getByText("Go to…")).toBeTruthy();
  await user.click(within(sheet).getByRole("switch", { name: "Keyboard shortcuts on" }));
  expect(within(sheet).getByRole("region", { name: "This screen" })).toBeTruthy();
});

test("a theme is drawn at once and saved; one that can't be saved is reported", async () => {
  const user = userEvent.setup();
  const sent: unknown[] = [];
  await renderAdmin({
    address: "/admin/models",
    models: [MODEL],
    server: ({ method, url, body }) => {
      if (method !== "PUT") return { status: 404, body: {} };
      sent.push([url.pathname, body]);
      return { status: 503, body: { message: "Too busy" } };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Search…" }));
  await user.type(await screen.findByRole("combobox", { name: /Screens/ }), "dark theme{Enter}");
  expect(await screen.findByText("The theme was not changed")).toBeTruthy();
  expect(sent).toEqual([["/api/users/profile/", { admin_theme: "dark" }]]);
});

test("the second press of a double click that opened it leaves it open, and a press beside it closes it", async () => {
  await open();
  const dialog = screen.getByRole("dialog");
  fireEvent.mouseDown(dialog, { detail: 2 });
  expect(screen.queryByRole("dialog")).toBe(dialog);
  fireEvent.mouseDown(dialog, { detail: 1 });
  expect(screen.queryByRole("dialog")).toBeNull();
});
