import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../../../test-admin.tsx";
import { buildField, buildModel } from "../../test-model.ts";

const WAIT = { timeout: 60_000 };
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
  expect(await screen.findByText("Failed to load the history", undefined, WAIT)).toBeTruthy();
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("ada", undefined, WAIT)).toBeTruthy();
  expect(screen.getByText("2 hours ago")).toBeTruthy();
  expect(screen.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(
    expect.arrayContaining(["Dark"]),
  );
  await user.click(screen.getByRole("button", { name: "Show older entries" }));
  expect(await screen.findByText("Imported from a file", undefined, WAIT)).toBeTruthy();
  expect(screen.getByText("System")).toBeTruthy();
  expect(screen.getByText(/2 entries shown\. This is the whole history\./)).toBeTruthy();

  await user.click(screen.getByRole("link", { name: "Details" }));
  await waitFor(() => expect(router.state.location.search).toBe(""));
  expect(await screen.findByRole("textbox", { name: "Label" }, WAIT)).toBeTruthy();
});
