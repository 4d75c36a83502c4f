import { afterEach, describe, expect, test } from "@jest/globals";
import { useDelete, useInfiniteList } from "@refinedev/core";
import { act, cleanup, screen } from "@testing-library/react";
import { renderInRefine, toPage } from "./test-refine.tsx";

const RESOURCE = "models/7/objects";

afterEach(cleanup);

const click = (name: string) => act(async () => screen.getByRole("button", { name }).click());

function DeleteButton() {
  const { mutate } = useDelete();
  return (
    <button type="button" onClick={() => mutate({ resource: RESOURCE, id: 4 })}>
      delete
    </button>
  );
}

describe("trap: undoable is a timer of the page, and the server is never called when the page is closed", () => {
  test("a deletion is sent at once, and the page may be closed right after", async () => {
    const { calls, unmount } = await renderInRefine(<DeleteButton />, { server: () => ({ status: 204 }) });
    await click("delete");
    unmount();
    expect(calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      `DELETE /api/admin/${RESOURCE}/4/`,
    ]);
  });
});

function InfiniteRows() {
  const { query } = useInfiniteList({ resource: RESOURCE, pagination: { pageSize: 2 } });
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <p>{rows.map(({ id }) => id).join(" ")}</p>
      <button type="button" disabled={!query.hasNextPage} onClick={() => void query.fetchNextPage()}>
        more
      </button>
    </>
  );
}

describe("trap: useInfiniteList needs `cursor.next` with each page", () => {
  test("pages follow the server's cursor and end where it ends", async () => {
    const { calls } = await renderInRefine(<InfiniteRows />, {
      server({ url }) {
        const isSecond = url.searchParams.get("cursor") === "two";
        const ids = isSecond ? [3] : [1, 2];
        const objects = ids.map((id) => ({ id, repr: `Row ${id}` }));
        const { pagination } = toPage(3, { next_cursor: isSecond ? null : "two" });
        return { body: { objects, pagination } };
      },
    });
    await screen.findByText("1 2");
    await click("more");
    expect(await screen.findByText("1 2 3")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button").disabled).toBe(true);
    expect(calls.map(({ url }) => [url.searchParams.get("page"), url.searchParams.get("cursor")])).toEqual([
      ["1", null],
      [null, "two"],
    ]);
  });
});
