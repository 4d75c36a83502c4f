import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { LiveEvent } from "#contract/content/objects.ts";
import type { JoinOptions, Socket } from "#providers/socket/socket.ts";
import type { TopicState } from "#providers/socket/topic.ts";
import { LIST_LIFETIME_MS } from "../../cache/freshness.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { pass, stopClock, until } from "../../test-clock.ts";
import { buildField, buildModel } from "../test-model.ts";
import { REFRESH_INTERVAL_MS, RETRY_AFTER_MS } from "./live-refresh.ts";

const MODEL = buildModel({ fields: [buildField({ name: "label", verbose_name: "Label" })] });
const JOBS = { ...MODEL, content_type_id: 8, model_name: "job", verbose_name_plural: "Jobs" };
const LIST = "/api/admin/models/7/objects/";

beforeEach(stopClock);
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

/** Below the form, whose drawer hides it from screen readers. */
const shows = (text: string) => document.querySelector("table")?.textContent?.includes(text);
const getLink = (name: string) => screen.queryByRole("link", { name });
const setUpUser = () => userEvent.setup({ delay: null });

/** The console over rows that a test changes behind its back, and over a socket that the test moves. */
async function openList(address = "/admin/models/7", firstAnswer?: Promise<void>) {
  const members = new Map<JoinOptions, string>();
  const socket: Pick<Socket, "join" | "subscribe" | "getStatus" | "tryNow"> = {
    join(topic, options) {
      members.set(options, topic);
      return {
        push: () => Promise.reject(new Error("unused")),
        send: () => false,
        leave: () => void members.delete(options),
      };
    },
    subscribe: () => () => {},
    getStatus: () => "connected",
    tryNow() {},
  };
  const site = {
    /** Status of lists; 200 brings rows. */
    status: 200,
    rows: ["Ada", "Bob", "Cem"].map((label, at) => ({ id: at + 1, repr: label, label })),
  };
  const calls: string[] = [];
  const lists = () => calls.filter((call) => call === `GET ${LIST}`).length;
  let inWrite = () => {};
  const { router } = await renderAdmin({
    address,
    models: [MODEL, JOBS],
    socket,
    server({ method, url, body }) {
      calls.push(`${method} ${url.pathname}`);
      const id = Number(/objects\/(\d+)\/$/.exec(url.pathname)?.[1]);
      if (method === "DELETE") {
        site.rows = site.rows.filter((row) => row.id !== id);
        return { status: 204 };
      }
      if (method === "PATCH") {
        site.rows = site.rows.map((row) => (row.id === id ? { ...row, ...(body as object) } : row));
        inWrite();
      }
      if (id) return { body: site.rows.find((row) => row.id === id) };
      if (site.status !== 200) return { status: site.status, body: { message: "Not now" } };
      const pagination = { page: 1, page_size: 20, total_count: site.rows.length, total_pages: 1 };
      const answer = { body: { objects: site.rows, pagination } };
      return lists() === 1 && firstAnswer ? firstAnswer.then(() => answer) : answer;
    },
  });
  // Longer than a list waits for its topic.
  await pass(500);
  const publish = (ids: number[], part: Partial<LiveEvent> = {}) => {
    const event = { type: "updated", content_type_id: 7, ids, is_many: false, ...part };
    for (const { on } of members.keys()) on.changed?.(event);
  };
  const become = (state: TopicState) => {
    for (const { onState } of members.keys()) onState?.(state);
  };
  const row = (id: number) => document.querySelector<HTMLElement>(`tr[data-row-key="${id}"]`);
  return {
    site,
    row,
    router,
    topics: () => [...members.values()],
    publish: (...args: Parameters<typeof publish>) => act(async () => publish(...args)),
    join: () => act(async () => become("joined")),
    close: () => act(async () => become("closed")),
    onWrite: (run: () => void) => {
      inWrite = run;
    },
    publishNow: publish,
    lists,
  };
}

test("rows that somebody else writes appear, change and vanish by themselves", async () => {
  const { site, publish } = await openList();
  await until(() => getLink("Ada"));
  site.rows = [
    { id: 1, repr: "Ayşe", label: "Ayşe" },
    { id: 3, repr: "Cem", label: "Cem" },
    { id: 4, repr: "Deniz", label: "Deniz" },
  ];
  await publish([1, 2, 4], { is_many: true });
  await until(() => getLink("Ayşe"));
  expect(screen.getByRole("link", { name: "Deniz" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Bob" })).toBeNull();
});

test("a row keeps its place in the page and the focus while others change around it", async () => {
  const { site, publish, row } = await openList();
  const link = await until(() => getLink("Cem"));
  link.focus();
  const before = row(3);
  site.rows = [{ id: 9, repr: "Aaa", label: "Aaa" }, ...site.rows.slice(1)];
  await publish([9, 1]);
  await until(() => getLink("Aaa"));
  expect(row(3)).toBe(before);
  expect(document.activeElement).toBe(link);
});

test("a row that vanishes with the focus gives it to the row that takes its place", async () => {
  const { site, publish, row } = await openList();
  (await until(() => getLink("Bob"))).focus();
  site.rows = site.rows.filter(({ id }) => id !== 2);
  await publish([2], { type: "deleted" });
  await until(() => row(2) === null);
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Cem" }));
});

test("an open form keeps what it shows and what was typed while the list behind it changes", async () => {
  const user = setUpUser();
  const { site, publish, lists } = await openList("/admin/models/7/objects/1");
  const input = await until(() => screen.queryByRole<HTMLInputElement>("textbox", { name: "Label" }));
  await user.type(input, " L.");
  const before = lists();
  site.rows = site.rows.map((row) => (row.id === 1 ? { ...row, repr: "Eda", label: "Eda" } : row));
  await publish([1]);
  await until(() => shows("Eda"));
  expect(input.value).toBe("Ada L.");
  expect(lists()).toBe(before + 1);
});

test("a model's topic stays joined for as long as its rows may be fresh, and then left", async () => {
  const { topics, router } = await openList();
  await until(() => getLink("Ada"));
  expect(topics()).toEqual(["admin:cv.certificate"]);
  await act(() => router.navigate("/admin/models/8"));
  await until(() => screen.queryByRole("heading", { name: "Jobs" }));
  await pass(500);
  expect(topics()).toEqual(["admin:cv.certificate", "admin:cv.job"]);
  await pass(LIST_LIFETIME_MS);
  expect(topics()).toEqual(["admin:cv.job"]);
  await act(() => router.navigate("/admin/nowhere"));
  await pass(LIST_LIFETIME_MS);
  expect(topics()).toEqual([]);
});

test("an event reaches the page of the list that is shown now, not the one of the first drawing", async () => {
  const { site, publish, router } = await openList();
  await until(() => getLink("Ada"));
  await act(() => router.navigate("/admin/models/7?search=a"));
  site.rows = [{ id: 1, repr: "Ayşe", label: "Ayşe" }];
  await pass(100);
  site.rows = [{ id: 1, repr: "Alev", label: "Alev" }];
  await publish([1]);
  await until(() => getLink("Alev"));
});

test("the first join of a list that is there already, and every later one, fetches what was missed", async () => {
  const { join, lists } = await openList();
  await until(() => getLink("Ada"));
  expect(lists()).toBe(1);
  await join();
  await until(() => lists() === 2);
  await join();
  await pass(REFRESH_INTERVAL_MS);
  expect(lists()).toBe(3);
});

test("many events in a second are one more list", async () => {
  const { publishNow, lists } = await openList();
  await until(() => getLink("Ada"));
  await act(async () => {
    for (let n = 0; n < 50; n += 1) publishNow([n]);
  });
  await pass(2500);
  expect(lists()).toBe(3);
});

test.each([
  ["before", 1],
  ["after", 2],
] as const)(
  "another person's edit that is published together with an own one, %s its answer, is shown",
  async (when, expected) => {
    const user = setUpUser();
    const { site, publish, publishNow, onWrite, lists } = await openList("/admin/models/7/objects/1");
    const input = await until(() => screen.queryByRole("textbox", { name: "Label" }));
    await user.type(input, "!");
    const editOther = () => {
      site.rows = site.rows.map((row) => (row.id === 2 ? { ...row, repr: "Beren", label: "Beren" } : row));
    };
    if (when === "before") {
      onWrite(() => {
        editOther();
        publishNow([1]);
      });
    }
    const before = lists();
    await user.click(screen.getByRole("button", { name: "Save" }));
    await until(() => lists() === before + 1);
    if (when === "after") {
      // The server publishes both as one event, which names one row alone if the reader sees only that.
      editOther();
      await publish([1]);
    }
    await pass(REFRESH_INTERVAL_MS);
    await until(() => shows("Beren"));
    await pass(REFRESH_INTERVAL_MS);
    expect(lists()).toBe(before + expected);
  },
);

test("a tab that nobody sees fetches when it is shown again, once", async () => {
  const { publish, lists } = await openList();
  await until(() => getLink("Ada"));
  let visibility: DocumentVisibilityState = "hidden";
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibility });
  try {
    await publish([1]);
    await publish([2]);
    await pass(2 * REFRESH_INTERVAL_MS);
    expect(lists()).toBe(1);
    visibility = "visible";
    await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
    await until(() => lists() === 2);
    await pass(2 * REFRESH_INTERVAL_MS);
    expect(lists()).toBe(2);
  } finally {
    Reflect.deleteProperty(document, "visibilityState");
  }
});

// The first is a fault, which the call is repeated for twice, after one and two seconds.
test.each([
  [503, 4],
  [429, 2],
])(
  "rows stay where they are when they can't be fetched for now (%i), and are asked for again",
  async (status, calls) => {
    const { site, publish, lists } = await openList();
    const table = await until(() => screen.queryByRole("table"));
    site.status = status;
    site.rows = [{ id: 1, repr: "Ayşe", label: "Ayşe" }];
    await publish([1]);
    // The query client asks again after one second and after two.
    await pass(3000);
    expect(lists()).toBe(calls);
    expect(within(table).getByRole("link", { name: "Ada" })).toBeTruthy();
    site.status = 200;
    await pass(RETRY_AFTER_MS);
    await until(() => getLink("Ayşe"));
  },
);

test.each([403, 404])(
  "a topic that the server closes asks for the list once, and a refusal (%i) takes the place of the rows",
  async (status) => {
    const user = setUpUser();
    const { site, close, topics, lists } = await openList();
    await until(() => getLink("Ada"));
    site.status = status;
    await close();
    await until(() => screen.queryByText("Not now"));
    expect(screen.queryByRole("table")).toBeNull();
    await pass(2 * REFRESH_INTERVAL_MS);
    expect(lists()).toBe(2);
    expect(topics()).toEqual([]);

    // The right is given back.
    site.status = 200;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await until(() => getLink("Ada"));
    expect(topics()).toEqual(["admin:cv.certificate"]);
  },
);

test("what is written between a list's first fetch and its answer is fetched when the topic is joined", async () => {
  const first = Promise.withResolvers<void>();
  const { site, join, lists } = await openList("/admin/models/7", first.promise);
  expect(lists()).toBe(1);
  site.rows = [{ id: 1, repr: "Ayşe", label: "Ayşe" }];
  await join();
  await act(async () => first.resolve());
  await until(() => getLink("Ayşe"));
  await pass(2 * REFRESH_INTERVAL_MS);
  expect(lists()).toBe(2);
});
