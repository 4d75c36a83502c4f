import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";

const MODEL = buildModel({
  fields: [
    buildField({ name: "label", verbose_name: "Label" }),
    buildField({ name: "issuer", verbose_name: "Issuer" }),
  ],
});
const RECORD = { id: 4, repr: "Light", label: "Light", issuer: "ACME" };
const THEIRS = { ...RECORD, issuer: "Bolt" };
const WAIT = { timeout: 60_000 };

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
    const label = await screen.findByRole<HTMLInputElement>("textbox", { name: "Label" }, WAIT);
    await user.clear(label);
    await user.type(label, "Mine");
    await user.click(screen.getByRole("button", { name: save }));

    expect((await screen.findByRole("alert", undefined, WAIT)).textContent).toContain(title);
    expect(screen.getByRole("alert").textContent).toContain("Issuer");
    expect(label.value).toBe("Mine");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Issuer" }).value).toBe("ACME");

    await user.click(screen.getByRole("button", { name: load }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(label.value).toBe("Light");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Issuer" }).value).toBe("Bolt");

    await user.type(label, "!");
    await user.click(screen.getByRole("button", { name: save }));
    await waitFor(() => expect(matches).toEqual(['"one"', '"two"']), WAIT);
  },
  30_000,
);
