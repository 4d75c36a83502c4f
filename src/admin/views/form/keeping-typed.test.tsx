import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { LIVE_EVENT_NAME } from "#contract/content/objects.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import type { JoinOptions } from "#providers/socket/socket.ts";
import { type FakeServer, renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";
import { drafts } from "./drafts.ts";

const MODEL = buildModel({
  fields: [
    buildField({ name: "label", verbose_name: "Label" }),
    buildField({ name: "issuer", verbose_name: "Issuer" }),
  ],
});
const RECORD = { id: 4, repr: "Light", label: "Light", issuer: "ACME" };
const PAGINATION = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
const PLACE = { userId: 5, resource: MODEL.resource, id: 4 } as const;
const ADDRESS = "/admin/models/7/objects/4";

/** Tests need no more of a person. */
function buildPerson(id: number, username: string): AuthState {
  return { user: { id, username, profile: { admin_theme: "light" } } } as AuthState;
}
const ADA = buildPerson(5, "ada");

/** Somebody who is signed in until the test says otherwise; "right" is the password. */
function createSession(returns: AuthState = ADA) {
  const listeners = new Set<() => void>();
  let state: AuthState | null = ADA;
  const set = (next: AuthState | null) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    set: (next: AuthState | null) => act(async () => set(next)),
    session: {
      getAuthState: () => state,
      subscribe(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      async signIn(_username: string, password: string) {
        if (password !== "right") throw new HttpError("Invalid username or password", "invalid", 401);
        set(returns);
        return returns;
      },
      restore: async () => ADA,
    },
  };
}

/** Serves one record that the test may change, and answers writes as the test says. */
function createServer(write: FakeServer = () => ({ status: 500, body: {} })) {
  const store: { record: object | null; etag: string } = { record: RECORD, etag: '"one"' };
  const serve: FakeServer = (call) => {
    if (call.method !== "GET") return write(call);
    if (/\/objects\/\d+\/$/.test(call.url.pathname)) {
      return store.record
        ? { body: store.record, etag: store.etag }
        : { status: 404, body: { message: "Gone" } };
    }
    return { body: { objects: [RECORD], pagination: PAGINATION } };
  };
  return { store, serve };
}

async function findInput(name: string) {
  return screen.findByRole<HTMLInputElement>("textbox", { name });
}

/** The dialog over the form. */
async function findDialog() {
  const title = await screen.findByText("Your session has ended");
  return within(title.closest<HTMLElement>(".ant-modal") as HTMLElement);
}

beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe("leaving a form with typed things", () => {
  async function openDirty() {
    const user = userEvent.setup();
    const { router } = await renderAdmin({ address: ADDRESS, models: [MODEL], server: createServer().serve });
    await user.type(await findInput("Issuer"), " Inc.");
    return { user, router };
  }

  test("asks where the address is replaced, and leaving throws the draft away", async () => {
    const { session } = createSession();
    const user = userEvent.setup();
    const { router } = await renderAdmin({
      address: ADDRESS,
      models: [MODEL],
      server: createServer().serve,
      session,
    });
    await user.type(await findInput("Issuer"), " Inc.");
    await waitFor(() => expect(drafts.read(PLACE)).toBeDefined());
    await act(() => router.navigate("/admin/models", { replace: true }));
    expect(router.state.location.pathname).toBe(ADDRESS);
    await user.click(await screen.findByRole("button", { name: "Leave without saving" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/models"));
    expect(drafts.read(PLACE)).toBeUndefined();
  });

  test("does not ask while only the query changes, and the text stays", async () => {
    const { router } = await openDirty();
    await act(() => router.navigate(`${ADDRESS}?page_size=50`));
    expect(router.state.location.search).toBe("?page_size=50");
    expect(screen.queryByText("Leave without saving?")).toBeNull();
    expect((await findInput("Issuer")).value).toBe("ACME Inc.");
  });

  test("asks at reload and closing, once there is something to lose", async () => {
    const { user } = await openDirty();
    const leave = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(true);
    await user.clear(await findInput("Issuer"));
    await user.type(await findInput("Issuer"), "ACME");
    expect(leave()).toBe(false);
  });
});

test("a draft is offered to the person who wrote it, restored at a press, and gone once it is saved", async () => {
  drafts.write(PLACE, {
    savedAt: Date.now() - 300_000,
    etag: '"zero"',
    fields: { label: { control: "text", base: "Old", typed: "Mine" } },
  });
  const bodies: unknown[] = [];
  const user = userEvent.setup();
  await renderAdmin({
    address: ADDRESS,
    models: [MODEL],
    session: createSession().session,
    server: createServer(({ body }) => {
      bodies.push(body);
      return { body: { ...RECORD, label: "Mine" } };
    }).serve,
  });
  expect(await screen.findByText("You have an unsaved draft from 5 minutes ago")).toBeTruthy();
  expect(screen.getByText(/both changed: Label\./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Restore" }));
  expect((await findInput("Label")).value).toBe("Mine");
  expect(document.activeElement).toBe(await findInput("Label"));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(bodies).toEqual([{ label: "Mine" }]));
  await waitFor(() => expect(drafts.read(PLACE)).toBeUndefined());
});

test("the last keys before a form is taken away are in its draft", async () => {
  const user = userEvent.setup();
  const { session } = createSession();
  await renderAdmin({ address: ADDRESS, models: [MODEL], session, server: createServer().serve });
  await user.type(await findInput("Issuer"), " Inc.");
  cleanup();
  expect(drafts.read(PLACE)?.fields.issuer?.typed).toBe("ACME Inc.");
});

test("a draft that nobody has decided about outlives what is typed and saved beside it", async () => {
  const old = {
    savedAt: Date.now() - 300_000,
    etag: '"zero"',
    fields: { label: { control: "text", base: "Light", typed: "Mine" } },
  };
  drafts.write(PLACE, old);
  const user = userEvent.setup();
  await renderAdmin({
    address: ADDRESS,
    models: [MODEL],
    session: createSession().session,
    server: createServer(() => ({ body: { ...RECORD, issuer: "ACME Inc." } })).serve,
  });
  await user.type(await findInput("Issuer"), " Inc.");
  await waitFor(() => expect(drafts.list(PLACE)).toHaveLength(2));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(drafts.list(PLACE)).toEqual([old]));
  await user.click(screen.getByRole("button", { name: "Restore" }));
  expect((await findInput("Label")).value).toBe("Mine");
  expect(drafts.list(PLACE).map(({ fields }) => fields.label?.typed)).toEqual(["Mine"]);
});

describe("a session that ends over typed things", () => {
  test("is opened again in place, and the refused save goes out by itself", async () => {
    const user = userEvent.setup();
    const { session, set } = createSession();
    let isOver = false;
    const bodies: unknown[] = [];
    const { serve } = createServer(({ body }) => {
      if (isOver) return { status: 401, body: {} };
      bodies.push(body);
      return { body: { ...RECORD, issuer: "ACME Inc." } };
    });
    await renderAdmin({ address: ADDRESS, models: [MODEL], session, server: serve });
    await user.type(await findInput("Issuer"), " Inc.");
    isOver = true;
    await set(null);
    const dialog = await findDialog();
    expect(dialog.getByLabelText<HTMLInputElement>("Username").value).toBe("ada");
    await user.click(dialog.getByRole("button", { name: "Not now" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    const again = await findDialog();
    await user.type(again.getByLabelText("Password"), "wrong{Enter}");
    expect(await again.findByText("Invalid username or password")).toBeTruthy();
    isOver = false;
    await user.clear(again.getByLabelText("Password"));
    await user.type(again.getByLabelText("Password"), "right{Enter}");
    await waitFor(() => expect(bodies).toEqual([{ issuer: "ACME Inc." }]));
    await waitFor(() => expect(screen.queryByText("Your session has ended")).toBeNull());
  });

  test("refuses somebody else kindly", async () => {
    const user = userEvent.setup();
    const { session, set } = createSession();
    await renderAdmin({ address: ADDRESS, models: [MODEL], session, server: createServer().serve });
    await user.type(await findInput("Issuer"), " Inc.");
    await set(buildPerson(6, "bob"));
    expect(await screen.findByText(/You were logged in as ada; this browser is now .* bob/)).toBeTruthy();
    expect((await findInput("Issuer")).value).toBe("ACME Inc.");
  });
});

describe("a record that is changed elsewhere while its form is open", () => {
  async function open() {
    const users = new Set<JoinOptions>();
    const { store, serve } = createServer();
    await renderAdmin({
      address: ADDRESS,
      models: [MODEL],
      server: serve,
      socket: {
        join(_topic, options) {
          users.add(options);
          options.onState?.("joined");
          return {
            push: () => Promise.reject(new Error("unused")),
            send: () => false,
            leave: () => users.delete(options),
          };
        },
        subscribe: () => () => {},
        getStatus: () => "connected",
        tryNow() {},
      },
    });
    await findInput("Label");
    const event = { type: "updated", content_type_id: 7, ids: [4], is_many: false };
    const emit = () =>
      act(async () => {
        for (const { on } of users) on[LIVE_EVENT_NAME]?.(event);
      });
    return { store, emit, user: userEvent.setup() };
  }

  test("is refreshed in silence where nothing is typed", async () => {
    const { store, emit } = await open();
    Object.assign(store, { record: { ...RECORD, label: "Bright" }, etag: '"two"' });
    await emit();
    const label = await findInput("Label");
    await waitFor(() => expect(label.value).toBe("Bright"));
    expect(screen.queryByText("Changed by somebody else just now")).toBeNull();
  });

  test("is shown calmly where something is typed, and both values stand beside each other", async () => {
    const { store, emit, user } = await open();
    const label = await findInput("Label");
    await user.type(label, "er");
    Object.assign(store, { record: { ...RECORD, label: "Bright", issuer: "Bolt" }, etag: '"two"' });
    await emit();
    expect(await screen.findByText("Changed by somebody else just now")).toBeTruthy();
    expect(label.value).toBe("Lighter");
    await user.click(screen.getByRole("radio", { name: /Yours/ }));
    await user.click(screen.getByRole("button", { name: "Go on with these choices" }));
    expect(label.value).toBe("Lighter");
    expect((await findInput("Issuer")).value).toBe("Bolt");
  });

  test("and once more: a choice between values of before has to be made anew", async () => {
    const { store, emit, user } = await open();
    await user.type(await findInput("Label"), "er");
    Object.assign(store, { record: { ...RECORD, label: "Bright" }, etag: '"two"' });
    await emit();
    await user.click(await screen.findByRole("radio", { name: /Yours/ }));
    Object.assign(store, { record: { ...RECORD, label: "Brilliant" }, etag: '"three"' });
    await emit();
    expect(await screen.findByText("Brilliant")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /Yours/ }).checked).toBe(false);
  });

  test("or deleted: says so, and what was typed can be taken along", async () => {
    const { store, emit, user } = await open();
    await user.type(await findInput("Label"), "er");
    store.record = null;
    await emit();
    expect(await screen.findByText("Deleted by somebody else")).toBeTruthy();
    expect((await findInput("Label")).value).toBe("Lighter");
    await user.click(screen.getByRole("button", { name: "Copy what I typed" }));
    expect(await screen.findByText("Copied.")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("Label: Lighter");
  });
});
