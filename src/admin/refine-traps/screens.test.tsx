import { afterEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { Socket } from "#providers/socket/socket.ts";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";
import { buildField, buildModel } from "../views/test-model.ts";

const FIELD = buildField({ name: "label", verbose_name: "Label" });
const ID = buildField({ name: "id", verbose_name: "Id", control: "number", operators: ["in", "exact"] });
const LINKS = buildModel({ fields: [FIELD, ID], count: 45 });
const JOBS = { ...LINKS, content_type_id: 8, model_name: "job", verbose_name_plural: "Jobs" };

afterEach(cleanup);

/** 45 rows of each model, a page at a time. */
function serve(calls: URL[]): FakeServer {
  return ({ url }) => {
    calls.push(url);
    const model = /models\/(\d+)\//.exec(url.pathname)?.[1] ?? "";
    const id = /objects\/(\d+)\/$/.exec(url.pathname)?.[1];
    if (id) return { body: { id: Number(id), repr: `Model ${model} row ${id}`, label: "x" } };
    const page = Number(url.searchParams.get("page") ?? 1);
    const size = Number(url.searchParams.get("page_size") ?? 20);
    const first = (page - 1) * size + 1;
    const objects = Array.from({ length: Math.max(0, Math.min(size, 46 - first)) }, (_, at) => ({
      id: first + at,
      repr: `Model ${model} row ${first + at}`,
      label: `Model ${model} row ${first + at}`,
    }));
    const pagination = { page, page_size: size, total_count: 45, total_pages: Math.ceil(45 / size) };
    return { body: { objects, pagination } };
  };
}

const row = (model: number, id: number) => screen.findByRole("link", { name: `Model ${model} row ${id}` });

describe("trap: an `in` list of over 20 values comes back as an object", () => {
  test("200 values in the address arrive whole at the server", async () => {
    const ids = Array.from({ length: 200 }, (_, at) => at + 1).join(",");
    const calls: URL[] = [];
    await renderAdmin({
      address: `/admin/models/7?${new URLSearchParams({ filter: `id:in:${ids}` })}`,
      models: [LINKS, JOBS],
      server: serve(calls),
    });
    await row(7, 1);
    const list = calls.find(({ searchParams }) => searchParams.get("filters[0][operator]") === "in");
    expect(list?.searchParams.get("filters[0][value]")).toBe(ids);
  });
});

describe("trap: a screen stays where it was when the address names another page or model", () => {
  test("(c) a page's number leads to that page, and Back to the one before", async () => {
    const { router } = await renderAdmin({
      address: "/admin/models/7",
      models: [LINKS, JOBS],
      server: serve([]),
    });
    await row(7, 1);
    const pages = screen.getByRole("navigation", { name: "Pages" });
    await userEvent.setup().click(within(pages).getByText("3"));
    await row(7, 41);
    expect(router.state.location.search).toBe("?page=3");
    await act(() => router.navigate(-1));
    await row(7, 1);
  });

  test("rows of one model never stand under another one's name", async () => {
    const calls: URL[] = [];
    const { router } = await renderAdmin({
      address: "/admin/models/7",
      models: [LINKS, JOBS],
      server: serve(calls),
    });
    await row(7, 1);
    await act(() => router.navigate("/admin/models/8"));
    await row(8, 1);
    expect(screen.queryByRole("link", { name: "Model 7 row 1" })).toBeNull();
  });
});

describe("trap: a live subscription stays with the resource that it began with", () => {
  test("the topic follows the model; the former one stays joined for as long as its rows are cached", async () => {
    const members = new Map<object, string>();
    const topics = () => [...new Set(members.values())];
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
    const { router } = await renderAdmin({
      address: "/admin/models/7",
      models: [LINKS, JOBS],
      server: serve([]),
      socket,
    });
    await row(7, 1);
    await waitFor(() => expect(topics()).toEqual(["admin:cv.certificate"]));
    await act(() => router.navigate("/admin/models/8"));
    await row(8, 1);
    await waitFor(() => expect(topics()).toEqual(["admin:cv.certificate", "admin:cv.job"]));
  });
});

describe("trap: a list that fails is shown as an empty one", () => {
  test.each([403, 500])("%i is an error with a way to try again, and no 'nothing found'", async (status) => {
    await renderAdmin({
      address: "/admin/models/7",
      models: [LINKS],
      server: () => ({ status, body: { message: "Not for you." } }),
    });
    await waitFor(() => expect(screen.getAllByText(/Not for you\./).length).toBeGreaterThan(0));
    expect(screen.getByRole("button", { name: /again|retry/i })).toBeTruthy();
    expect(screen.queryByText("No objects found")).toBeNull();
  });
});
