import { afterEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type FakeServer, renderAdmin } from "./test-admin.tsx";
import { openList } from "./views/list/test-list.ts";
import { buildField, buildModel } from "./views/test-model.ts";

describe("admin", () => {
  const MODEL = buildModel({
    fields: [
      buildField({
        name: "label",
        verbose_name: "Label",
        type: "LocalizedCharField",
        control: "localized-text",
        required: true,
      }),
      buildField({ name: "issuer", verbose_name: "Issuer" }),
    ],
    site_path: "/cv",
  });
  const RECORD = { id: 4, repr: "Light", label: { en: "Light", tr: "Işık" }, issuer: "ACME" };
  const PAGINATION = { page: 1, page_size: 20, total_count: 1, total_pages: 1, count_is_estimate: false };

  /** Serves one record, and answers writes as the test says. */
  function serve(write: FakeServer): FakeServer {
    return (call) => {
      if (call.method !== "GET") return write(call);
      if (/\/objects\/\d+\/$/.test(call.url.pathname)) return { body: RECORD };
      return { body: { objects: [RECORD], pagination: PAGINATION } };
    };
  }

  afterEach(cleanup);

  test("a server's field error lands under the input of its language, and nothing typed is lost", async () => {
    const user = userEvent.setup();
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [MODEL],
      server: serve(() => ({
        status: 400,
        body: {
          message: "Validation failed",
          code: "validation_failed",
          errors: [{ field: "label.tr", code: "x", message: "Too grand a title." }],
        },
      })),
    });
    const turkish = await screen.findByLabelText("Label (Turkish)");
    await user.clear(turkish);
    await user.type(turkish, "Yüce Işık");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const message = await screen.findByText("Too grand a title.");
    expect(turkish.closest(".ant-form-item")?.contains(message)).toBe(true);
    expect(screen.getByLabelText("Label (English)").closest(".ant-form-item")?.contains(message)).toBe(false);
    expect((turkish as HTMLInputElement).value).toBe("Yüce Işık");
    expect(turkish.getAttribute("aria-invalid")).toBe("true");
    // An input that is left is checked again, by rules that know nothing of the server's.
    await user.click(screen.getByLabelText("Issuer"));
    await user.tab();
    await act(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect(await screen.findByText("Too grand a title.")).toBeTruthy();
    await user.type(turkish, "!");
    await user.tab();
    await waitFor(() => expect(screen.queryByText("Too grand a title.")).toBeNull());
  });

  test("faults that another back end names by field alone land at their inputs", async () => {
    const user = userEvent.setup();
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [MODEL],
      server: serve(() => ({ status: 400, body: { label: { tr: ["Uzun"] }, issuer: ["Too long"] } })),
    });
    const issuer = await screen.findByRole("textbox", { name: "Issuer" });
    await user.type(issuer, " Inc.");
    await user.click(screen.getByRole("button", { name: "Save" }));
    const message = await screen.findByText("Too long");
    expect(issuer.closest(".ant-form-item")?.contains(message)).toBe(true);
    const turkish = screen.getByLabelText("Label (Turkish)");
    expect(turkish.closest(".ant-form-item")?.contains(screen.getByText("Uzun"))).toBe(true);
    expect(screen.queryByText("An error occurred")).toBeNull();
  });

  test("a list says what another back end's 400 says", async () => {
    await renderAdmin({
      address: "/admin/models/7?sort=issuer",
      models: [MODEL],
      server: () => ({ status: 400, body: { label: ["Too long"] } }),
    });
    expect((await screen.findByRole("alert")).textContent).toContain("label: Too long");
  });

  test("a save sends what changed and no more, and then names the page that shows it", async () => {
    const user = userEvent.setup();
    const bodies: unknown[] = [];
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [MODEL],
      server: serve(({ body }) => {
        bodies.push(body);
        return { body: { ...RECORD, label: { en: "Bright", tr: "Işık" }, repr: "Bright" } };
      }),
    });
    const english = await screen.findByLabelText("Label (English)");
    await user.clear(english);
    await user.type(english, "Bright{Control>}s{/Control}");
    const drawer = within(screen.getByRole("dialog"));
    expect((await drawer.findByRole("link", { name: "View on site" })).getAttribute("href")).toBe("/cv");
    expect(bodies).toEqual([{ label: { en: "Bright", tr: "Işık" } }]);
  });

  test("the save key pressed again while a record is being made makes no second one", async () => {
    const user = userEvent.setup();
    let created = 0;
    await renderAdmin({
      address: "/admin/models/7/objects/new",
      models: [MODEL],
      server: serve(() => {
        created += 1;
        return { status: 201, body: RECORD };
      }),
    });
    await user.type(await screen.findByLabelText("Label (English)"), "Light");
    await user.keyboard("{Control>}sss{/Control}");
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(created).toBe(1);
  });

  test("a new record that is refused can be mended: its inputs are open again and the faulty one has the focus", async () => {
    const user = userEvent.setup();
    await renderAdmin({
      address: "/admin/models/7/objects/new",
      models: [MODEL],
      server: serve(() => ({
        status: 400,
        body: {
          message: "Validation failed",
          errors: [{ field: "issuer", code: "x", message: "Too short." }],
        },
      })),
    });
    await user.type(await screen.findByLabelText("Label (English)"), "Light");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Too short.");
    const issuer = screen.getByRole("textbox", { name: "Issuer" });
    expect((issuer as HTMLInputElement).disabled).toBe(false);
    await waitFor(() => expect(document.activeElement).toBe(issuer));
  });

  test("models that can't be fetched again take no form away", async () => {
    const user = userEvent.setup();
    let hasModels = true;
    const { queryClient } = await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [MODEL],
      hasModels: () => hasModels,
      server: (call) =>
        call.url.pathname === "/api/admin/models/"
          ? { status: 403, body: { message: "Not now" } }
          : serve(() => ({ body: RECORD }))(call),
    });
    await user.type(await screen.findByRole("textbox", { name: "Issuer" }), " Inc.");
    hasModels = false;
    await act(() => queryClient.invalidateQueries({ queryKey: ["data", "default", "models"] }));
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .map((query) => query.state.status),
    ).toContain("error");
    expect((screen.getByRole("textbox", { name: "Issuer" }) as HTMLInputElement).value).toBe("ACME Inc.");
  });

  test("leaving with unsaved changes asks first, by Back too", async () => {
    const user = userEvent.setup();
    const { router } = await renderAdmin({
      address: "/admin/models/7",
      models: [MODEL],
      server: serve(() => ({ status: 500, body: {} })),
    });
    await user.click(await screen.findByRole("link", { name: "Light" }));
    await user.type(await screen.findByRole("textbox", { name: "Issuer" }), " Inc.");
    await waitFor(async () => {
      await router.navigate(-1);
      expect(screen.queryByText("Leave without saving?")).not.toBeNull();
    });
    await user.click(screen.getByRole("button", { name: "Stay and go on" }));
    expect(router.state.location.pathname).toBe("/admin/models/7/objects/4");
    expect((screen.getByRole("textbox", { name: "Issuer" }) as HTMLInputElement).value).toBe("ACME Inc.");
  });

  test("without the permission to change it a record is text", async () => {
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      models: [{ ...MODEL, permissions: { view: true, create: false, update: false, delete: false } }],
      server: serve(() => ({ status: 500, body: {} })),
    });
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByText("ACME")).toBeTruthy();
    expect(within(dialog).queryByRole("textbox")).toBeNull();
    expect(within(dialog).queryByRole("button", { name: "Save" })).toBeNull();
  });

  test("what the permissions lack is not offered", async () => {
    await renderAdmin({
      address: "/admin/models/7",
      models: [{ ...MODEL, permissions: { view: true, create: false, update: true, delete: false } }],
      server: serve(() => ({ status: 500, body: {} })),
    });
    const table = await screen.findByRole("table");
    expect(within(table).queryByRole("button", { name: /Delete/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Create New" })).toBeNull();
  });

  test("a link that calls a model by its name leads to the record at its number", async () => {
    const { router } = await renderAdmin({
      address: `/admin/models/${MODEL.app_label}.${MODEL.model_name}/objects/4`,
      models: [MODEL],
      server: serve(() => ({ status: 500, body: {} })),
    });
    expect(await screen.findByLabelText("Label (Turkish)")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/admin/models/7/objects/4");
  });
});

describe("push once", () => {
  /** What another person's slow machine does: the clicks come before the first one's screen is drawn. */
  function clickTwice(element: HTMLElement): void {
    act(() => {
      element.click();
      element.click();
    });
  }

  const close = () => fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape", keyCode: 27 });

  describe("two clicks before the first one's screen is drawn", () => {
    test("open one form, which closes at once", async () => {
      const { router, ready } = await openList();
      await ready();
      const add = await screen.findByRole("button", { name: "Create New" });
      fireEvent.click(add);
      await screen.findByRole("dialog");
      close();
      await ready();
      expect(router.state.location.pathname).toBe("/admin/models/7");

      clickTwice(add);
      await screen.findByRole("dialog");
      await act(async () => void close());
      expect(router.state.location.pathname).toBe("/admin/models/7");
    });

    test("follow a link once", async () => {
      const { router, ready } = await openList();
      const link = await ready();
      fireEvent.click(link);
      await screen.findByRole("dialog");
      close();

      clickTwice(await ready());
      await screen.findByRole("dialog");
      await act(async () => void close());
      expect(router.state.location.pathname).toBe("/admin/models/7");
    });

    test("close a form and go no further back", async () => {
      const { router, ready } = await openList();
      await act(() => router.navigate("/admin/models/7?page_size=50"));
      fireEvent.click(await ready());
      await screen.findByRole("dialog");
      const [x] = await screen.findAllByRole("button", { name: "Close" });
      if (x) clickTwice(x);
      await ready();
      expect(router.state.location).toMatchObject({ pathname: "/admin/models/7", search: "?page_size=50" });
    });
  });
});
