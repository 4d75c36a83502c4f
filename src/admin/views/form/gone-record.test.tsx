import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, within } from "@testing-library/react";
import { renderAdmin } from "../../test-admin.tsx";
import { buildModel } from "../test-model.ts";

const WAIT = { timeout: 60_000 };

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
  const drawer = within(await screen.findByRole("dialog", undefined, WAIT));
  expect(await drawer.findByText("This record is no longer there", undefined, WAIT)).toBeTruthy();
  expect(drawer.queryByRole("button", { name: "Retry" })).toBeNull();
  const link = drawer.getByRole("link", { name: "All entries of this object" });
  expect(link.getAttribute("href")).toBe(
    "/admin/actions?filter=content_type_id%3Aexact%3A7&filter=object_id%3Aexact%3A4",
  );
});
