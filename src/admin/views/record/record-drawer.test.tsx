import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ModelInfo } from "#contract/models.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";

const WAIT = { timeout: 60_000 };
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const MODEL = buildModel({
  order_field: "position",
  fields: [
    buildField({ name: "label", verbose_name: "Label", required: true }),
    buildField({ name: "slug", verbose_name: "Slug", is_unique: true }),
    buildField({ name: "key", verbose_name: "Key", is_secret: true }),
    buildField({ name: "position", verbose_name: "Position", type: "IntegerField", control: "number" }),
    buildField({ name: "file", verbose_name: "File", type: "FileField", control: "file" }),
    buildField({ name: "made_at", verbose_name: "Made", read_only: true }),
  ],
});
const FILE = `/files/${"0a".repeat(16)}.pdf`;
const RECORD = {
  id: 5,
  repr: "Ada",
  label: "Ada",
  slug: "ada",
  key: "k",
  position: 3,
  file: FILE,
  made_at: "2026",
};

async function open(address: string, part: Partial<ModelInfo> = {}) {
  const sent: { method: string; path: string; body: unknown }[] = [];
  const { router } = await renderAdmin({
    address,
    models: [{ ...MODEL, ...part }],
    server({ method, url, body }) {
      if (method !== "GET") sent.push({ method, path: url.pathname, body });
      if (method === "POST") return { status: 201, body: { ...RECORD, id: 9, ...(body as object) } };
      if (/\/objects\/\d+\/$/.test(url.pathname)) return { body: RECORD, etag: '"v1"' };
      const pagination = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
      return { body: { objects: [RECORD], pagination, entries: [], next_before: null } };
    },
  });
  return { user: userEvent.setup(), router, sent };
}

const input = (name: string | RegExp) => screen.findByRole<HTMLInputElement>("textbox", { name }, WAIT);
const save = () => screen.getByRole("button", { name: "Save" });

test("a row's copy is a new record with its values, without what it can't share, and is saved as one", async () => {
  const { user, router, sent } = await open("/admin/models/7?search=a");
  await user.click(await screen.findByRole("button", { name: "Duplicate Ada" }, WAIT));
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/new"));
  expect(router.state.location.search).toBe("?search=a&from=5");
  expect((await input("Label")).value).toBe("Ada");
  expect((await input("Slug")).value).toBe("");
  expect(
    screen.getByText(
      "This is a copy of “Ada”. Nothing is saved yet. Left empty, because no two may be the same: Slug.",
    ),
  ).toBeTruthy();
  await user.type(await input("Slug"), "bob");
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1), WAIT);
  expect(sent[0]).toEqual({
    method: "POST",
    path: "/api/admin/models/7/objects/",
    body: { label: "Ada", slug: "bob", file: FILE },
  });
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/9"), WAIT);
  expect(router.state.location.search).toBe("?search=a");
});

test("closing a copy that nobody has typed into asks nothing", async () => {
  const { user, router } = await open("/admin/models/7/objects/new?from=5");
  await input("Label");
  const form = within(await screen.findByRole("dialog", undefined, WAIT));
  const [close] = form.getAllByRole("button", { name: "Close" });
  if (close) await user.click(close);
  await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7"), WAIT);
  expect(router.state.location.search).toBe("");
});

test("what is typed into the open record and not saved goes along into the copy", async () => {
  const { user, router, sent } = await open("/admin/models/7/objects/5");
  const label = await input("Label");
  await user.clear(label);
  await user.type(label, "Bob");
  await user.click(screen.getByRole("button", { name: "Duplicate" }));
  await waitFor(() => expect(router.state.location.search).toBe("?from=5"), WAIT);
  await screen.findByText(/^This is a copy of “Ada”/, undefined, WAIT);
  await waitFor(async () => expect((await input("Label")).value).toBe("Bob"), WAIT);
  await user.click(save());
  await waitFor(() => expect(sent).toHaveLength(1), WAIT);
  expect(sent[0]).toMatchObject({ method: "POST", body: { label: "Bob", file: FILE } });
});

test.each([
  ["may not make records", { permissions: { view: true, create: false, update: true, delete: true } }],
])(
  "who %s is offered no copy",
  async (_who, part) => {
    await open("/admin/models/7/objects/5", part);
    await input("Label");
    expect(screen.queryByRole("button", { name: /^Duplicate/ })).toBeNull();
  },
  60_000,
);
