import { afterEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

const MODEL = buildModel({ fields: [buildField({ name: "label", verbose_name: "Label" })] });
const RECORDS = [1, 2].map((id) => ({ id, repr: `Record ${id}`, label: `Record ${id}` }));
const FORM = "/admin/models/7/objects/1";

afterEach(cleanup);

async function openDirtyForm() {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: "/admin/models/7",
    models: [MODEL],
    server({ url }) {
      const id = Number(/objects\/(\d+)\/$/.exec(url.pathname)?.[1]);
      if (id) return { body: RECORDS[id - 1] };
      const pagination = { page: 1, page_size: 20, total_count: 2, total_pages: 1 };
      return { body: { objects: RECORDS, pagination } };
    },
  });
  await screen.findByRole("link", { name: "Record 1" });
  // Something behind the form, and something ahead of it.
  await act(() => router.navigate(FORM));
  await screen.findByRole("textbox", { name: "Label" });
  await act(() => router.navigate("/admin/models/7"));
  await act(() => router.navigate(-1));
  const label = await screen.findByRole<HTMLInputElement>("textbox", { name: "Label" });
  await user.type(label, "!");
  return { user, router, label };
}

type Router = Awaited<ReturnType<typeof openDirtyForm>>["router"];

describe("trap: Refine's unsaved-changes notifier misses Back, Forward and replace", () => {
  test.each<[string, (router: Router) => Promise<void>]>([
    ["Back", (router) => router.navigate(-1)],
    ["Forward", (router) => router.navigate(1)],
    ["a link", (router) => router.navigate("/admin/users")],
    ["a replaced address", (router) => router.navigate("/admin/users", { replace: true })],
    ["another record's address", (router) => router.navigate("/admin/models/7/objects/2")],
  ])("%s asks first, and staying keeps what was typed", async (_name, leave) => {
    const { user, router, label } = await openDirtyForm();
    await act(() => leave(router));
    const stay = await screen.findByRole("button", { name: "Stay and go on" });
    expect(screen.getByText("Leave without saving?")).toBeTruthy();
    expect(router.state.location.pathname).toBe(FORM);
    await user.click(stay);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Stay and go on" })).toBeNull());
    expect(router.state.location.pathname).toBe(FORM);
    expect(label.value).toBe("Record 1!");
  });

  test("Escape stays too, and the question comes again", async () => {
    const { router, label } = await openDirtyForm();
    const stay = { name: "Stay and go on" };
    await act(() => router.navigate(-1));
    fireEvent.keyDown(await screen.findByRole("button", stay), { key: "Escape", keyCode: 27 });
    await waitFor(() => expect(screen.queryByRole("button", stay)).toBeNull());
    expect(router.state.location.pathname).toBe(FORM);
    expect(label.value).toBe("Record 1!");
    await act(() => router.navigate(-1));
    expect(await screen.findByRole("button", stay)).toBeTruthy();
  });
});
