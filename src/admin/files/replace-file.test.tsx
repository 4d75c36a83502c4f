import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { UploadAnswer } from "#contract/content/objects.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

afterEach(cleanup);

const toAddress = (digit: string) => `/files/${digit.repeat(32)}.png`;
const OLD = {
  id: 3,
  repr: "old.png",
  name: "old.png",
  file: toAddress("a"),
  byte_size: 1_400_000,
  fault: null as string | null,
  used_in: [
    { model: 7, id: 1, repr: "Cloud", label: "Certificate" },
    { model: 7, id: 2, repr: "Data", label: "Certificate" },
  ],
};
const NEW = { ...OLD, id: 9, repr: "new.png", name: "new.png", file: toAddress("b"), byte_size: 2048 };
const STORED: UploadAnswer = { url: NEW.file, name: "new.png", media_type: "image/png", byte_size: 2048 };

const READ_ONLY = { read_only: true, control: "read-only" } as const;
const FIELDS = [
  buildField({ ...READ_ONLY, name: "name" }),
  buildField({ ...READ_ONLY, name: "file", type: "FileField", control: "file", accept: ["image/png"] }),
  buildField({ ...READ_ONLY, name: "byte_size", type: "IntegerField" }),
  buildField({ ...READ_ONLY, name: "used_in", type: "FileUsesField", control: "file-uses" }),
  buildField({
    ...READ_ONLY,
    name: "fault",
    verbose_name: "Fault",
    type: "ChoiceField",
    choices: [{ value: "missing", label: "not in the storage" }],
  }),
];

interface Site {
  address?: string;
  mayDelete?: boolean;
  old?: typeof OLD;
  stored?: UploadAnswer;
  /** In place of an answer at once. */
  upload?: (name: string, signal: AbortSignal) => Promise<UploadAnswer>;
  /** Of the replacement. */
  answers?: ReturnType<FakeServer>[];
}

/** The console with one file in it. @returns what was sent to replace it */
async function open(site: Site = {}) {
  const { address = "/admin/models/5", mayDelete = true, old = OLD, stored = STORED } = site;
  const answers = [...(site.answers ?? [{ body: { id: NEW.id } }])];
  const sent: unknown[] = [];
  const uploads: unknown[] = [];
  const pagination = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
  const { router } = await renderAdmin({
    address,
    models: [
      buildModel({
        content_type_id: 5,
        app_label: "files",
        model_name: "stored_file",
        permissions: { view: true, create: false, update: false, delete: mayDelete },
        fields: FIELDS,
      }),
    ],
    server: async ({ method, url, body }) => {
      if (method === "POST" && url.pathname === "/api/admin/files/3/replace/") {
        sent.push(body);
        return (await answers.shift()) ?? { status: 500 };
      }
      if (url.pathname.endsWith("/3/")) return { body: old };
      if (url.pathname.endsWith("/9/")) return { body: NEW };
      return { body: { objects: [old], pagination } };
    },
    upload: async ({ model, field, file }, { signal }) => {
      uploads.push([model, field, file.name]);
      return site.upload ? site.upload(file.name, signal) : stored;
    },
  });
  return { user: setUpDrawnUser(), router, sent, uploads };
}

/** By its title: under test antd gives the drawer beneath the same id. */
async function findDialog(): Promise<HTMLElement> {
  const dialog = (await screen.findByText("Replace “old.png”")).closest<HTMLElement>("[role=dialog]");
  if (!dialog) throw new Error("no dialog");
  return dialog;
}
const pressed = (dialog: HTMLElement) =>
  within(dialog).getByRole<HTMLButtonElement>("button", { name: "Replace everywhere" });

async function choose(dialog: HTMLElement, user: ReturnType<typeof setUpDrawnUser>, name = "new.png") {
  const input = dialog.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("no input");
  await user.upload(input, new File(["new"], name, { type: "image/png" }));
}

describe("replacing a file", () => {
  test("shows the old one with all that uses it, then the new one, and does it only when that is confirmed", async () => {
    const { user, sent, uploads } = await open();
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    const now = await within(dialog).findByRole("region", { name: "Now" });
    expect(within(now).getByText("old.png")).toBeTruthy();
    expect(within(now).getByText("1.4 MB")).toBeTruthy();
    expect(within(now).getByRole("img").getAttribute("src")).toContain("/pictures/");
    expect(within(dialog).getByText(/^2 places use this file\./)).toBeTruthy();
    for (const place of ["Certificate: Cloud", "Certificate: Data"])
      expect(within(dialog).getByText(place)).toBeTruthy();
    expect(pressed(dialog).disabled).toBe(true);
    await choose(dialog, user);
    const next = within(dialog).getByRole("region", { name: "New file" });
    expect(within(next).getByText("2 kB")).toBeTruthy();
    expect(uploads).toEqual([[5, "file", "new.png"]]);
    expect(sent).toEqual([]);
    await user.click(pressed(dialog));
    expect(sent).toEqual([{ file: NEW.file }]);
    expect(await screen.findByText("“old.png” is replaced")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("of an opened one opens the new one in its place", async () => {
    const { user, router } = await open({ address: "/admin/models/5/objects/3" });
    await user.click(await screen.findByRole("button", { name: "Replace…" }));
    const dialog = await findDialog();
    await within(dialog).findByRole("region", { name: "Now" });
    await choose(dialog, user);
    await user.click(pressed(dialog));
    expect(router.state.location.pathname).toBe("/admin/models/5/objects/9");
    expect(await screen.findByRole("dialog", { name: "new.png" })).toBeTruthy();
  });

  test("that is refused says why in the server's words, and keeps the new file for another try", async () => {
    const refusal = {
      message: "Validation failed",
      code: "validation_failed",
      errors: [{ field: "icon", code: "replacement_refused", message: "Icon takes no file of this type." }],
    };
    const { user, sent } = await open({
      answers: [{ status: 400, body: refusal }, { body: { id: NEW.id } }],
    });
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    await within(dialog).findByRole("region", { name: "Now" });
    await choose(dialog, user);
    await user.click(pressed(dialog));
    expect((await within(dialog).findByRole("alert")).textContent).toBe("Icon takes no file of this type.");
    expect(within(dialog).getByText("2 kB")).toBeTruthy();
    await user.click(pressed(dialog));
    expect(sent).toHaveLength(2);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("waits for a file that is on its way, and sends that one, not the one before it", async () => {
    const other = { ...STORED, url: toAddress("c"), name: "other.png" };
    const { promise, resolve } = Promise.withResolvers<UploadAnswer>();
    const { user, sent } = await open({ upload: async (name) => (name === "new.png" ? STORED : promise) });
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    await within(dialog).findByRole("region", { name: "Now" });
    await choose(dialog, user);
    await waitFor(() => expect(pressed(dialog).disabled).toBe(false));
    await choose(dialog, user, "other.png");
    expect(within(dialog).getByRole("progressbar")).toBeTruthy();
    expect(pressed(dialog).disabled).toBe(true);
    resolve(other);
    await waitFor(() => expect(pressed(dialog).disabled).toBe(false));
    await user.click(pressed(dialog));
    expect(sent).toEqual([{ file: other.url }]);
  });

  test("goes on with the file before when another one's upload is cancelled", async () => {
    const untilAborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { user, sent } = await open({
      upload: async (name, signal) => (name === "new.png" ? STORED : untilAborted(signal)),
    });
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    await within(dialog).findByRole("region", { name: "Now" });
    await choose(dialog, user);
    await choose(dialog, user, "other.png");
    const next = within(dialog).getByRole("region", { name: "New file" });
    await user.click(within(next).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(pressed(dialog).disabled).toBe(false));
    await user.click(pressed(dialog));
    expect(sent).toEqual([{ file: NEW.file }]);
  });

  test("by itself is no replacement", async () => {
    const { user } = await open({ stored: { ...STORED, url: OLD.file } });
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    await within(dialog).findByRole("region", { name: "Now" });
    await choose(dialog, user);
    expect(within(dialog).getByText(/^This is the same file as before/)).toBeTruthy();
    expect(pressed(dialog).disabled).toBe(true);
  });

  test("by itself puts a missing one back, and says so", async () => {
    const old = { ...OLD, fault: "missing" };
    const { user } = await open({ old, stored: { ...STORED, url: OLD.file } });
    await user.click(await screen.findByRole("button", { name: "Replace “old.png”…" }));
    const dialog = await findDialog();
    const now = await within(dialog).findByRole("region", { name: "Now" });
    expect(within(now).queryByRole("img")).toBeNull();
    expect(within(now).getByText("not in the storage")).toBeTruthy();
    await choose(dialog, user);
    expect(within(dialog).getByText(/It is whole again/)).toBeTruthy();
    expect(within(dialog).getByRole("button", { name: "Close" })).toBeTruthy();
  });
});

test("who may not delete files is offered neither, in the list and over a record", async () => {
  await open({ mayDelete: false, address: "/admin/models/5/objects/3" });
  expect(await screen.findByRole("dialog", { name: "old.png" })).toBeTruthy();
  expect(screen.queryAllByRole("button", { name: /^(Replace|Delete)/ })).toEqual([]);
});
