import { afterEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";
import { findForeignPictures } from "./picture-inserter.tsx";

afterEach(cleanup);

const FIELDS = [
  buildField({ name: "title", verbose_name: "Title", type: "LocalizedCharField", control: "localized-text" }),
  buildField({
    name: "body",
    verbose_name: "Text",
    type: "LocalizedTextField",
    control: "localized-markdown",
  }),
];
const RECORD = {
  id: 4,
  repr: "About",
  title: { en: "About", tr: "Hakkımda" },
  body: { en: "First.\n\nLast.", tr: "İlk." },
};

/** The form of a page; what it asks the server to draw, and what it uploads. */
async function openPage(name = "page") {
  const drafts: unknown[] = [];
  const uploads: unknown[] = [];
  let isFailing = false;
  await renderAdmin({
    address: "/admin/models/7/objects/4",
    models: [buildModel({ app_label: "site", model_name: name, fields: FIELDS })],
    server({ url, body }) {
      if (url.pathname === "/api/admin/pages/preview/") {
        drafts.push(body);
        return isFailing ? { status: 503, body: { message: "Busy" } } : { body: "<h1>Drawn</h1>" };
      }
      return { body: RECORD };
    },
    upload: async ({ model, field, file }) => {
      uploads.push({ model, field, name: file.name });
      return { url: `/files/${"a".repeat(32)}.png`, name: file.name, media_type: "image/png", byte_size: 1 };
    },
  });
  const area = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text (English)" });
  return { area, drafts, uploads, fail: (is: boolean) => (isFailing = is), user: userEvent.setup() };
}

test("a picture is uploaded for the field and put where the caret is, with its description", async () => {
  const { area, uploads, user } = await openPage();
  area.setSelectionRange(6, 6);
  await user.click(screen.getByRole("button", { name: "Insert picture: Text (English)" }));
  const alt = screen.getByRole("textbox", { name: "What the picture shows" });
  await user.type(alt, "A [[red] door");
  const file = new File(["x"], "door.png", { type: "image/png" });
  const input = document.querySelector<HTMLInputElement>(".picture-inserter input[type=file]");
  if (!input) throw new Error("no input for a file");
  fireEvent.change(input, { target: { files: [file] } });
  const inserted = `![A \\[red\\] door](/files/${"a".repeat(32)}.png)`;
  await waitFor(() => expect(area.value).toBe(`First.\n\n${inserted}\n\n\nLast.`));
  expect(uploads).toEqual([{ model: 7, field: "body", name: "door.png" }]);
  expect(document.activeElement).toBe(area);
  expect(screen.queryByRole("textbox", { name: "What the picture shows" })).toBeNull();
});

test("a picture of another site is named as one that nobody will see", async () => {
  const { area } = await openPage();
  expect(screen.queryByText(/not loaded on your pages/)).toBeNull();
  fireEvent.change(area, { target: { value: "![a](https://other.test/a.png)" } });
  fireEvent.blur(area);
  expect(await screen.findByText(/not loaded on your pages: other\.test/)).toBeTruthy();
});

test("the preview is what the server draws of what is typed, in a frame without scripts, in a theme and a width of one's choice", async () => {
  const { area, drafts, user } = await openPage();
  fireEvent.change(area, { target: { value: "Typed." } });
  fireEvent.blur(area);
  const modes = screen.getByRole("group", { name: /Text \(English\): write or preview/ });
  await user.click(within(modes).getByRole("button", { name: "Preview" }));
  const frame = await screen.findByTitle<HTMLIFrameElement>("The page as visitors see it (English)");
  expect(frame.getAttribute("srcdoc")).toContain("Drawn");
  expect(frame.getAttribute("sandbox")).toBe("allow-same-origin");
  expect(frame.width).toBe("1280");
  expect(drafts.at(-1)).toEqual({
    lang: "en",
    theme: "light",
    title: RECORD.title,
    body: { en: "Typed.", tr: "İlk." },
  });
  await user.click(screen.getByRole("button", { name: "Dark" }));
  await waitFor(() => expect(drafts.at(-1)).toMatchObject({ theme: "dark" }));
  await user.click(screen.getByRole("button", { name: "Phone" }));
  expect(frame.width).toBe("360");
  await user.click(within(modes).getByRole("button", { name: "Write" }));
  expect(area.value).toBe("Typed.");
});

test("a text of any other model is laid out by the server too: no text holds the browser up", async () => {
  const { drafts, user } = await openPage("book");
  const modes = screen.getByRole("group", { name: /Text \(English\): write or preview/ });
  await user.click(within(modes).getByRole("button", { name: "Preview" }));
  expect(await screen.findByTitle(/The page as visitors see it/)).toBeTruthy();
  expect(drafts.at(-1)).toMatchObject({
    title: { en: null, tr: null },
    body: { en: RECORD.body.en, tr: null },
  });
});

test("a preview that can't be drawn says why, and is tried again", async () => {
  const { fail, user } = await openPage();
  fail(true);
  const modes = screen.getByRole("group", { name: /Text \(English\): write or preview/ });
  await user.click(within(modes).getByRole("button", { name: "Preview" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Busy");
  fail(false);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByTitle(/The page as visitors see it/)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each([
  [
    '![a](https://one.test/a.png) ![b](//two.test/b.png "t") ![c](<http://one.test/c.png>)',
    ["one.test", "two.test"],
  ],
  ["![a](/files/a.png) [link](https://one.test/) ![b](data:image/png;base64,x)", []],
])("in %s pictures come from %j", (text, hosts) => {
  expect(findForeignPictures(text)).toEqual(hosts);
});
