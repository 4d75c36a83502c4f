import { expect, test } from "@jest/globals";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import "./order-drawer.tsx"; // Its chunk is there, so that no test waits for it.
import { buildField, buildModel } from "../views/test-model.ts";

const source = buildModel({
  fields: [
    buildField({ name: "label" }),
    buildField({ name: "position", verbose_name: "Position", control: "number", type: "IntegerField" }),
    buildField({ name: "is_hidden", control: "switch", type: "BooleanField" }),
  ],
  list_columns: ["label"],
  order_field: "position",
  hidden_field: "is_hidden",
  site_path: "/cv",
});
const ADDRESS = "/admin/models/7?order=1";

/** A server that keeps three objects, and refuses when the test says so. */
function createServer(count = 3) {
  const state = {
    names: Array.from({ length: count }, (_, index) => ({ id: index + 1, repr: `Item ${index + 1}` })),
    hidden: new Set<number>(),
    writes: [] as number[],
    moves: [] as unknown[],
    isRefusing: false,
    isListFailing: false,
  };
  const toRecord = (row: { id: number; repr: string }) => ({
    ...row,
    label: row.repr,
    position: 1,
    is_hidden: state.hidden.has(row.id),
  });
  const move = (id: number, before: number | null) => {
    if (state.isRefusing)
      return { status: 403, body: { message: "Not allowed.", code: "permission_denied" } };
    const moved = state.names.filter((row) => row.id === id);
    const others = state.names.filter((row) => row.id !== id);
    const at = before === null ? others.length : others.findIndex((row) => row.id === before);
    state.names = others.toSpliced(at, 0, ...moved);
    return { body: { is_moved: true, places: [{ id, place: 1 }] } };
  };
  const hide = (id: number, isHidden: boolean) => {
    state.writes.push(id);
    if (isHidden) state.hidden.add(id);
    else state.hidden.delete(id);
    return { body: toRecord({ id, repr: `Item ${id}` }) };
  };
  const list = (size: number) => ({
    body: {
      objects: state.names.slice(0, size).map(toRecord),
      pagination: { page: 1, page_size: size, total_count: state.names.length, total_pages: 1 },
    },
  });
  const server: FakeServer = ({ method, url, body }) => {
    const id = Number(/objects\/(\d+)\//.exec(url.pathname)?.[1]);
    if (url.pathname.endsWith("/move/")) {
      state.moves.push([id, body]);
      return move(id, (body as { before: number | null }).before); // as the drawer sends it
    }
    if (method === "PATCH") return hide(id, (body as { is_hidden: boolean }).is_hidden); // the same
    if (state.isListFailing) return { status: 429, body: { message: "Later.", code: "too_many_requests" } };
    return list(Number(url.searchParams.get("page_size") ?? 20));
  };
  return { state, server };
}

const findList = () => screen.findByRole("list", { name: "Certificates in their order" });
async function readNames(): Promise<string[]> {
  const rows = within(await findList()).getAllByRole("listitem");
  return rows.map((row) => /Item \d+/.exec(row.textContent ?? "")?.[0] ?? "");
}

test("the button down puts an object behind the next one, at once and on the server", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  await userEvent.click(screen.getByRole("button", { name: "Move Item 1 down" }));
  expect(await readNames()).toEqual(["Item 2", "Item 1", "Item 3"]);
  expect(await screen.findByText("“Item 1” is now 2 of 3.")).toBeTruthy();
  expect(state.moves).toEqual([[1, { before: 3 }]]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move Item 1 down");
});

test("moves in a row are sent one after the other, the last one to the end", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  const down = () => screen.getByRole("button", { name: "Move Item 1 down" });
  await userEvent.click(down());
  await userEvent.click(down());
  await waitFor(() =>
    expect(state.moves).toEqual([
      [1, { before: 3 }],
      [1, { before: null }],
    ]),
  );
  expect(await readNames()).toEqual(["Item 2", "Item 3", "Item 1"]);
  await userEvent.click(down());
  expect(state.moves).toHaveLength(2);
});

test("the last move is taken back", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  await userEvent.click(screen.getByRole("button", { name: "Move Item 3 up" }));
  await userEvent.click(await screen.findByRole("button", { name: "Undo: put “Item 3” back" }));
  await waitFor(() =>
    expect(state.moves).toEqual([
      [3, { before: 2 }],
      [3, { before: null }],
    ]),
  );
  expect(await readNames()).toEqual(["Item 1", "Item 2", "Item 3"]);
});

test("a move that fails is taken back and reported", async () => {
  const { state, server } = createServer();
  state.isRefusing = true;
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  await userEvent.click(screen.getByRole("button", { name: "Move Item 1 down" }));
  expect(await screen.findByText("“Item 1” was not moved")).toBeTruthy();
  expect(screen.getByText("Not allowed.")).toBeTruthy();
  expect(await readNames()).toEqual(["Item 1", "Item 2", "Item 3"]);
});

test("the switch hides an object from the site and shows it again", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  await userEvent.click(screen.getByRole("switch", { name: "Show Item 2 on the site" }));
  expect(await screen.findByText("“Item 2” is hidden from the site.")).toBeTruthy();
  expect([...state.hidden]).toEqual([2]);
  await waitFor(async () => expect(within(await findList()).getByText("Hidden")).toBeTruthy());
  await userEvent.click(screen.getByRole("switch", { name: "Show Item 2 on the site" }));
  expect(await screen.findByText("“Item 2” is shown on the site again.")).toBeTruthy();
});

test("beyond a page it says how the others are placed, and the last shown one goes before the next", async () => {
  const { state, server } = createServer(201);
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  expect(screen.getByText(/The first 199 of 201 are here/).textContent).toContain("“Position”");
  await userEvent.click(screen.getByRole("button", { name: "Move Item 198 down" }));
  await waitFor(() => expect(state.moves).toEqual([[198, { before: 200 }]]));
});

test("a list that can't be read says why, and is asked for again", async () => {
  const { state, server } = createServer();
  state.isListFailing = true;
  await renderAdmin({ address: ADDRESS, models: [source], server });
  const drawer = await screen.findByRole("dialog");
  expect((await within(drawer).findByRole("alert")).textContent).toContain("Failed to load objects");
  state.isListFailing = false;
  await userEvent.click(within(drawer).getByRole("button", { name: "Retry" }));
  expect(await readNames()).toEqual(["Item 1", "Item 2", "Item 3"]);
});

test("it opens from the list, has an address, and closing leads back", async () => {
  const { server } = createServer();
  const { router } = await renderAdmin({ address: "/admin/models/7?search=Item", models: [source], server });
  await userEvent.click(await screen.findByRole("button", { name: "Order" }));
  await findList();
  expect(router.state.location.search).toBe("?search=Item&order=1");
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(router.state.location.search).toBe("?search=Item"));
});

test("a refused move shows what has become of the objects meanwhile", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server });
  await findList();
  state.isRefusing = true;
  state.names = state.names.slice(0, 2);
  await userEvent.click(screen.getByRole("button", { name: "Move Item 1 down" }));
  await waitFor(async () => expect(await readNames()).toEqual(["Item 1", "Item 2"]));
});

test("who may not change the order sees no button", async () => {
  const { server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [buildModel({ ...source, order_field: null })], server });
  await screen.findByRole("link", { name: "Item 1" });
  expect(screen.queryByRole("button", { name: "Order" })).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the words are there in Turkish", async () => {
  const { server } = createServer();
  await renderAdmin({ address: ADDRESS, models: [source], server, lang: "tr" });
  await userEvent.click(await screen.findByRole("button", { name: "Aşağı taşı: Item 1" }));
  expect(await screen.findByText("“Item 1” artık 2. sırada (3 nesne).")).toBeTruthy();
});

test("a row of the list hides its object, with a notice", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: "/admin/models/7", models: [source], server });
  await userEvent.click(await screen.findByRole("button", { name: "Hide Item 1" }));
  expect(await screen.findByText("Hidden from the site")).toBeTruthy();
  expect([...state.hidden]).toEqual([1]);
  expect(await screen.findByRole("button", { name: "Show Item 1" })).toBeTruthy();
});

test("two quick clicks on a row's button hide its object once", async () => {
  const { state, server } = createServer();
  await renderAdmin({ address: "/admin/models/7", models: [source], server });
  const hide = await screen.findByRole("button", { name: "Hide Item 1" });
  act(() => {
    hide.click();
    hide.click();
  });
  expect(await screen.findByRole("button", { name: "Show Item 1" })).toBeTruthy();
  expect(state.writes).toEqual([1]);
});

test("an empty list of the CV says how a whole one is imported", async () => {
  const { server } = createServer(0);
  await renderAdmin({ address: "/admin/models/7", models: [source], server });
  expect(await screen.findByText(/npm run foyer -- import cv\.json/)).toBeTruthy();
});
