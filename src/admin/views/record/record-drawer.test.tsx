import "#test/browser-globals.ts";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { I18nextProvider } from "react-i18next";
import type { ModelInfo } from "#contract/content/models.ts";
import { createI18n } from "#providers/i18n.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { ReadOnlyFields } from "../form/record-form.tsx";
import { buildField, buildModel } from "../test-model.ts";

describe("record drawer", () => {
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

  const input = (name: string | RegExp) => screen.findByRole<HTMLInputElement>("textbox", { name });
  const save = () => screen.getByRole("button", { name: "Save" });

  test("a row's copy is a new record with its values, without what it can't share, and is saved as one", async () => {
    const { user, router, sent } = await open("/admin/models/7?search=a");
    await user.click(await screen.findByRole("button", { name: "Duplicate Ada" }));
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
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      method: "POST",
      path: "/api/admin/models/7/objects/",
      body: { label: "Ada", slug: "bob", file: FILE },
    });
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7/objects/9"));
    expect(router.state.location.search).toBe("?search=a");
  });

  test("closing a copy that nobody has typed into asks nothing", async () => {
    const { user, router } = await open("/admin/models/7/objects/new?from=5");
    await input("Label");
    const form = within(await screen.findByRole("dialog"));
    const [close] = form.getAllByRole("button", { name: "Close" });
    if (close) await user.click(close);
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models/7"));
    expect(router.state.location.search).toBe("");
  });

  test("what is typed into the open record and not saved goes along into the copy", async () => {
    const { user, router, sent } = await open("/admin/models/7/objects/5");
    const label = await input("Label");
    await user.clear(label);
    await user.type(label, "Bob");
    await user.click(screen.getByRole("button", { name: "Duplicate" }));
    await waitFor(() => expect(router.state.location.search).toBe("?from=5"));
    await screen.findByText(/^This is a copy of “Ada”/);
    await waitFor(async () => expect((await input("Label")).value).toBe("Bob"));
    await user.click(save());
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ method: "POST", body: { label: "Bob", file: FILE } });
  });

  test.each([
    ["may not make records", { permissions: { view: true, create: false, update: true, delete: true } }],
  ])("who %s is offered no copy", async (_who, part) => {
    await open("/admin/models/7/objects/5", part);
    await input("Label");
    expect(screen.queryByRole("button", { name: /^Duplicate/ })).toBeNull();
  });
});

describe("stale write", () => {
  const MODEL = buildModel({
    fields: [
      buildField({ name: "label", verbose_name: "Label" }),
      buildField({ name: "issuer", verbose_name: "Issuer" }),
    ],
  });
  const RECORD = { id: 4, repr: "Light", label: "Light", issuer: "ACME" };
  const THEIRS = { ...RECORD, issuer: "Bolt" };

  afterEach(cleanup);

  test.each([
    ["en", "Save", "Somebody else changed this meanwhile", "Load the current version"],
    ["tr", "Kaydet", "Bu sırada başka biri değişiklik yaptı", "Güncel sürümü yükle"],
  ] as const)(
    "a save over somebody else's change is refused in %s, and what was typed stays until the current version is chosen",
    async (lang, save, title, load) => {
      const user = userEvent.setup();
      const matches: (string | undefined)[] = [];
      await renderAdmin({
        address: "/admin/models/7/objects/4",
        lang,
        models: [MODEL],
        server({ method, url, body, headers }) {
          if (method === "PATCH") {
            matches.push(headers["If-Match"]);
            if (headers["If-Match"] === '"two"')
              return { body: { ...THEIRS, ...(body as object) }, etag: '"three"' };
            const stale = { code: "stale_write", current: THEIRS, current_etag: '"two"', submitted: body };
            return { status: 409, body: { ...stale, message: "Somebody was faster.", errors: [] } };
          }
          if (/\/objects\/\d+\/$/.test(url.pathname)) return { body: RECORD, etag: '"one"' };
          return {
            body: {
              objects: [RECORD],
              pagination: { page: 1, page_size: 20, total_count: 1, total_pages: 1 },
            },
          };
        },
      });
      const label = await screen.findByRole<HTMLInputElement>("textbox", { name: "Label" });
      await user.clear(label);
      await user.type(label, "Mine");
      await user.click(screen.getByRole("button", { name: save }));

      expect((await screen.findByRole("alert")).textContent).toContain(title);
      expect(screen.getByRole("alert").textContent).toContain("Issuer");
      expect(label.value).toBe("Mine");
      expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Issuer" }).value).toBe("ACME");

      await user.click(screen.getByRole("button", { name: load }));
      await waitFor(() => expect(screen.queryByText(title)).toBeNull());
      expect(label.value).toBe("Light");
      expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Issuer" }).value).toBe("Bolt");

      await user.type(label, "!");
      await user.click(screen.getByRole("button", { name: save }));
      await waitFor(() => expect(matches).toEqual(['"one"', '"two"']));
    },
  );
});

describe("gone record", () => {
  afterEach(cleanup);

  test("the address of a record that is gone says so and leads to the log: trying again would not help", async () => {
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [buildModel()],
      server({ url }) {
        if (url.pathname.endsWith("/objects/4/"))
          return { status: 404, body: { message: "Object not found", code: "object_not_found" } };
        const pagination = { page: 1, page_size: 20, total_count: 0, total_pages: 1 };
        return { body: { objects: [], pagination } };
      },
    });
    const drawer = within(await screen.findByRole("dialog"));
    expect(await drawer.findByText("This record is no longer there")).toBeTruthy();
    expect(drawer.queryByRole("button", { name: "Retry" })).toBeNull();
    const link = drawer.getByRole("link", { name: "All entries of this object" });
    expect(link.getAttribute("href")).toBe(
      "/admin/actions?filter=content_type_id%3Aexact%3A7&filter=object_id%3Aexact%3A4",
    );
  });
});

describe("history", () => {
  const MODEL = buildModel({ fields: [buildField({ name: "label", verbose_name: "Label" })] });
  const RECORD = { id: 4, repr: "Light", label: "Light" };

  function buildEntry(id: number, part: object) {
    return {
      id,
      action_type: "UPDATE",
      detail: null,
      change_message: "",
      timestamp: new Date(Date.now() - 3_600_000 * 2).toISOString(),
      user: { id: 5, username: "ada" },
      ip_address: null,
      changes: { label: { before: "Dark", after: "Light" } },
      ...part,
    };
  }

  afterEach(cleanup);

  test("the history of a record has an address, names who, when and what, and goes on into the past", async () => {
    const user = userEvent.setup();
    let isDown = true;
    const { router } = await renderAdmin({
      address: "/admin/models/7/objects/4?tab=history",
      models: [MODEL],
      server({ url }) {
        if (url.pathname.endsWith("/objects/4/")) return { body: RECORD };
        if (!url.pathname.endsWith("/history/")) {
          const pagination = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
          return { body: { objects: [RECORD], pagination } };
        }
        if (isDown) return { status: 403, body: { message: "Not now" } };
        return url.searchParams.get("before") === "9"
          ? {
              body: {
                entries: [buildEntry(3, { action_type: "CREATE", user: null, detail: "import" })],
                next_before: null,
              },
            }
          : { body: { entries: [buildEntry(9, {})], next_before: 9 } };
      },
    });
    expect(await screen.findByText("Failed to load the history")).toBeTruthy();
    isDown = false;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("ada")).toBeTruthy();
    expect(screen.getByText("2 hours ago")).toBeTruthy();
    expect(screen.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(
      expect.arrayContaining(["Dark"]),
    );
    await user.click(screen.getByRole("button", { name: "Show older entries" }));
    expect(await screen.findByText("Imported from a file")).toBeTruthy();
    expect(screen.getByText("System")).toBeTruthy();
    expect(screen.getByText(/2 entries shown\. This is the whole history\./)).toBeTruthy();

    await user.click(screen.getByRole("link", { name: "Details" }));
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(await screen.findByRole("textbox", { name: "Label" })).toBeTruthy();
  });
});

describe("read only fields", () => {
  afterEach(cleanup);

  test("a message that somebody sent is shown to its end, with its lines; a cell of a list would cut it", () => {
    const message = `Hello,\n\n${"I would like to talk. ".repeat(9)}\n\nBest wishes`;
    const about = { en: "Long. ".repeat(30), tr: "Uzun. ".repeat(30) };
    const source = buildModel({
      fields: [
        buildField({ name: "name", read_only: true }),
        buildField({ name: "message", read_only: true }),
        buildField({ name: "about", type: "LocalizedTextField", read_only: true }),
      ],
    });
    render(
      <I18nextProvider i18n={createI18n("en")}>
        <ReadOnlyFields
          source={source}
          record={{ id: 1, repr: "Hi", name: "Ada", message, about }}
          toRelated={() => undefined}
        />
      </I18nextProvider>,
    );
    const [name, shown, localized] = screen.getAllByRole("definition");
    expect(shown?.textContent).toBe(message);
    const toLong = (element?: HTMLElement) => element?.parentElement?.dataset.long;
    expect([name, shown, localized].map(toLong)).toEqual([undefined, "true", "true"]);
  });

  test("a link that the server made can be copied, whole, also where it knows the path alone", async () => {
    const user = userEvent.setup();
    const source = buildModel({
      fields: [buildField({ name: "link", verbose_name: "Link", read_only: true, is_secret: true })],
    });
    render(
      <I18nextProvider i18n={createI18n("en")}>
        <ReadOnlyFields
          source={source}
          record={{ id: 1, repr: "Hi", link: "/register?invitation=abc" }}
          toRelated={() => undefined}
        />
      </I18nextProvider>,
    );
    const whole = `${window.location.origin}/register?invitation=abc`;
    expect(screen.getByText(whole)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Copy: Link" }));
    expect((await screen.findByText("Copied")).getAttribute("role")).toBe("status");
    expect(await navigator.clipboard.readText()).toBe(whole);
  });
});
