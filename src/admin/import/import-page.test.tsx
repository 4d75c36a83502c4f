import { expect, jest, test } from "@jest/globals";
import { createEvent, fireEvent, screen, within } from "@testing-library/react";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";

const ZERO = { new: 0, changed: 0, renamed: 0, moved: 0, removed: 0, reduced: 0, kept: 0, unchanged: 0 };
const ENTRY = {
  id: 12,
  state: "draft",
  file_name: "ada.json",
  lang: "en",
  created_at: "2026-11-26T10:00:00Z",
  applied_at: null,
  undone_at: null,
  backup_file: null,
  username: "ada",
  counts: null,
  can_undo: false,
};
const item = (about: object) => ({
  former_title: null,
  is_hidden: false,
  is_guess: false,
  fields: [],
  gone_choices: [],
  candidates: [],
  match: null,
  ...about,
});
const toPlan = (isKept: boolean, format = "json_resume") => {
  const counts = { ...ZERO, renamed: 1, [isKept ? "kept" : "removed"]: 1 };
  return {
    lang: "en",
    format,
    counts,
    sections: [
      {
        name: "skills",
        label: "Tools",
        is_hidden: true,
        counts,
        items: [
          item({
            key: "skills:#0",
            kind: "renamed",
            title: "Kubernetes & Helm",
            former_title: "Kubernetes",
            is_guess: true,
            match: 3,
            candidates: [{ id: 3, title: "Kubernetes" }],
            fields: [
              {
                name: "label",
                label: "Label",
                texts: [{ lang: "en", before: "Kubernetes", after: "Kubernetes & Helm" }],
              },
            ],
          }),
          item({
            key: "skills:4",
            kind: isKept ? "kept" : "removed",
            title: "Perl",
            is_hidden: true,
            gone_choices: ["remove", "keep"],
          }),
        ],
      },
    ],
    sample_count: 0,
    kept_keys: [],
    untranslated: {
      en: { count: 0, examples: [] },
      tr: { count: 2, examples: ["Perl: Label", "Git: Label"] },
    },
    is_gentle: false,
    is_unchanged: false,
    fingerprint: "f",
  };
};

/** A server with one draft. `refuse` answers the file with faults, `conflict` the first undo. */
function createServer({ refuse = false, format = "json_resume" } = {}) {
  const state = { phase: "draft", isKept: false, calls: [] as { path: string; body: unknown }[], undos: 0 };
  const answer = () => ({
    entry: {
      ...ENTRY,
      state: state.phase,
      can_undo: state.phase === "applied",
      counts: state.phase === "draft" ? null : toPlan(state.isKept).counts,
      backup_file: state.phase === "draft" ? null : "before-import-x.zip",
    },
    answers: { gone: {}, matches: {} },
    plan: state.phase === "draft" ? toPlan(state.isKept, format) : null,
  });
  function create() {
    if (!refuse) return { status: 201, body: answer() };
    const errors = [{ field: "0", code: "import_fault", message: "line 1, column 2: expected a key" }];
    return { status: 400, body: { message: "The file can't be imported.", code: "import_invalid", errors } };
  }
  function undo() {
    state.undos++;
    if (state.undos === 1) {
      const errors = [{ field: "Tools: Git", code: "undo_changed", message: "Changed since the import." }];
      return { status: 409, body: { message: "Some of it was changed.", code: "undo_conflicts", errors } };
    }
    state.phase = "undone";
    return { body: { entry: answer().entry, restored_count: 1, left: [] } };
  }
  function write(path: string) {
    if (path === "") return create();
    if (path === "12/undo/") return undo();
    if (path === "12/answers/") state.isKept = true;
    if (path === "12/apply/") state.phase = "applied";
    return { body: answer() };
  }
  const server: FakeServer = ({ method, url, body }) => {
    const path = url.pathname.replace("/api/admin/cv-imports/", "");
    if (path.startsWith("/")) return { status: 404, body: { message: "Not here.", code: "not_found" } };
    if (method === "GET") return { body: path === "" ? { results: [] } : answer() };
    state.calls.push({ path, body });
    return write(path);
  };
  return { state, server };
}

const file = (text = "{}") => new File([text], "ada.json", { type: "application/json" });

test("a file is sent with its language, and its plan has an address of its own", async () => {
  const { state, server } = createServer();
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server });
  await user.upload(await screen.findByLabelText("File"), file());
  await user.click(screen.getByRole("radio", { name: "Turkish" }));
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByRole("region", { name: "Tools" })).toBeTruthy();
  expect(state.calls[0]).toEqual({
    path: "",
    body: { file_name: "ada.json", lang: "tr", text: "e30=", encoding: "base64" },
  });
});

test("bytes are sent as they are, whatever they are", async () => {
  const { state, server } = createServer();
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server });
  const input = await screen.findByLabelText("File");
  await user.upload(
    input,
    new File([new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe])], "Export.ZIP", { type: "application/zip" }),
  );
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByRole("region", { name: "Tools" })).toBeTruthy();
  expect(state.calls[0]).toEqual({
    path: "",
    body: { file_name: "Export.ZIP", lang: "en", text: "UEsDBP/+", encoding: "base64" },
  });
});

test("a file can be dropped beside the button, takes the place of a chosen one, and isn't opened by the browser", async () => {
  const { state, server } = createServer();
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server });
  const input = await screen.findByLabelText<HTMLInputElement>("File");
  await user.upload(input, file());
  const place = screen.getByText("ada.json");
  const dataTransfer = { types: ["Files"], files: [new File(["[]"], "dropped.json")] };
  for (const event of [
    createEvent.dragOver(place, { dataTransfer }),
    createEvent.drop(place, { dataTransfer }),
  ]) {
    fireEvent(place, event);
    expect(event.defaultPrevented).toBe(true);
  }
  expect(await screen.findByText("dropped.json")).toBeTruthy();
  // Choosing the former one again must be a change.
  expect(input.files).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByRole("region", { name: "Tools" })).toBeTruthy();
  expect(state.calls[0]?.body).toMatchObject({ file_name: "dropped.json", text: "W10=" });
});

test("faults of a file are listed, and the file stays chosen", async () => {
  const { server } = createServer({ refuse: true });
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server });
  const input = await screen.findByLabelText<HTMLInputElement>("File");
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByText("Choose a file first.")).toBeTruthy();
  await user.upload(input, file("{"));
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByText("line 1, column 2: expected a key")).toBeTruthy();
  expect(input.files?.[0]?.name).toBe("ada.json");
});

test("a file that is gone since it was chosen is told in our words, not the browser's", async () => {
  const { server, state } = createServer();
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server });
  const read = jest.spyOn(FileReader.prototype, "readAsDataURL").mockImplementation(function fail(
    this: FileReader,
  ) {
    this.dispatchEvent(new ProgressEvent("error"));
  });
  await user.upload(await screen.findByLabelText("File"), file());
  await user.click(screen.getByRole("button", { name: "Show what it would change" }));
  expect(await screen.findByText(/^The file can't be read any more/)).toBeTruthy();
  read.mockRestore();
  expect(state.calls).toEqual([]);
});

test("the plan shows both texts, asks, and its button says what it will do; the result can be undone up to what changed since", async () => {
  const { state, server } = createServer();
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import/12", models: [], server });
  const tools = await screen.findByRole("region", { name: "Tools" });
  expect(within(tools).getByText("Kubernetes → Kubernetes & Helm", { exact: false })).toBeTruthy();
  expect(within(tools).getByText("Kubernetes").tagName).toBe("DEL");
  expect(within(tools).getByText(/^This section is hidden/)).toBeTruthy();
  expect(within(tools).getByText("(hidden)").closest("summary")?.textContent).toContain("Perl");
  expect(within(tools).getByText("Kubernetes & Helm").tagName).toBe("INS");
  expect(screen.getByRole("button", { name: "Apply: 1 renamed, 1 removed" })).toBeTruthy();
  await user.click(within(tools).getByRole("radio", { name: "Keep it" }));
  await user.click(await screen.findByRole("button", { name: "Apply: 1 renamed" }));
  expect(await screen.findByText("Imported. 1 renamed, 1 kept")).toBeTruthy();
  expect(screen.getByText(/before-import-x\.zip/)).toBeTruthy();
  expect(state.calls.map(({ path }) => path)).toEqual(["12/answers/", "12/apply/"]);
  await user.click(screen.getByRole("button", { name: "Undo this import" }));
  expect(await screen.findByText("Tools: Git: Changed since the import.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo the rest" }));
  expect(await screen.findByText(/^This import was undone/)).toBeTruthy();
  expect(state.calls.slice(2).map(({ body }) => body)).toEqual([{ is_partial: false }, { is_partial: true }]);
});

test("of a LinkedIn export the plan says what its silence means", async () => {
  const { server } = createServer({ format: "linkedin" });
  await renderAdmin({ address: "/admin/import/12", models: [], server });
  expect(await screen.findByText(/^What LinkedIn's export has no place for stays as it is/)).toBeTruthy();
});

test("in Turkish counts have commas, an import that changed nothing no loose dot, and the input no words of the browser", async () => {
  const { server: draft } = createServer();
  const server: FakeServer = (request) =>
    request.method === "GET" && request.url.pathname.endsWith("/cv-imports/")
      ? {
          body: {
            results: [
              { ...ENTRY, state: "applied", counts: { ...ZERO, new: 1, removed: 2 } },
              { ...ENTRY, id: 13, state: "applied", counts: ZERO },
            ],
          },
        }
      : draft(request);
  const user = setUpDrawnUser();
  await renderAdmin({ address: "/admin/import", models: [], server, lang: "tr" });
  const rows = within(await screen.findByRole("region", { name: "Son içe aktarmalar" })).getAllByRole(
    "listitem",
  );
  expect(rows.map((row) => /Uygulandı · \S+ \S+ \S+ \S+(.*)$/.exec(row.textContent)?.[1])).toEqual([
    " · 1 yeni, 2 silinen",
    "",
  ]);
  expect(screen.getByText("Dosya seçilmedi")).toBeTruthy();
  await user.upload(screen.getByLabelText("Dosya"), file());
  expect(screen.getByText("ada.json", { selector: "form *" })).toBeTruthy();
});
