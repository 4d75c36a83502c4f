import { afterEach, describe, expect, test } from "@jest/globals";
import { useCustom, useCustomMutation, useList, useOne } from "@refinedev/core";
import { act, cleanup, screen } from "@testing-library/react";
import { useState } from "react";
import { isDataError } from "#providers/refine/data-error.ts";
import { renderInRefine, toPage } from "./test-refine.tsx";

const RESOURCE = "models/7/objects";

afterEach(cleanup);

function ListState() {
  const { query, result } = useList({ resource: RESOURCE, errorNotification: false });
  return (
    <p>
      {query.status} {result.data.length} {isDataError(query.error) ? query.error.statusCode : ""}
    </p>
  );
}

describe("trap: @refinedev/rest takes a 403 and a 500 for an answer", () => {
  test.each([403, 500])("a list that is answered with %i is an error, never a success", async (status) => {
    await renderInRefine(<ListState />, { server: () => ({ status, body: { message: "No." } }) });
    expect(await screen.findByText(`error 0 ${status}`)).toBeTruthy();
    expect(screen.queryByText(/success/)).toBeNull();
  });
});

function Extras() {
  const { total, isEstimate, cursor } = useList({ resource: RESOURCE }).result;
  return <p>{JSON.stringify({ total, isEstimate, cursor })}</p>;
}

describe("trap: lists lose what stands beside data and total", () => {
  test("the estimate and the cursor reach the screen", async () => {
    await renderInRefine(<Extras />, {
      server: () => ({ body: toPage(2, { count_is_estimate: true, next_cursor: "c" }) }),
    });
    expect(
      await screen.findByText(JSON.stringify({ total: 2, isEstimate: true, cursor: { next: "c" } })),
    ).toBeTruthy();
  });
});

function Record() {
  const [id, setId] = useState(1);
  const { query, result } = useOne({ resource: RESOURCE, id });
  return (
    <>
      <p>
        {query.status} {String(result?.repr ?? "nothing")}
      </p>
      <button type="button" onClick={() => setId(2)}>
        next
      </button>
    </>
  );
}

describe("trap: the default query client keeps the previous data, and record 2 starts as record 1", () => {
  test("record 1 is never shown for record 2", async () => {
    let answerSecond = () => {};
    const waiting = new Promise<void>((resolve) => {
      answerSecond = resolve;
    });
    await renderInRefine(<Record />, {
      async server({ url }) {
        const id = Number(/(\d+)\/$/.exec(url.pathname)?.[1]);
        if (id === 2) await waiting;
        return { body: { id, repr: `Record ${id}` } };
      },
    });
    expect(await screen.findByText("success Record 1")).toBeTruthy();
    await act(async () => screen.getByRole("button").click());
    expect(screen.getByText("pending nothing")).toBeTruthy();
    await act(async () => answerSecond());
    expect(await screen.findByText("success Record 2")).toBeTruthy();
  });
});

function Shown({ isOn }: { isOn: boolean }) {
  const [isShown, setShown] = useState(isOn);
  return (
    <>
      {isShown && <ListState />}
      <button type="button" onClick={() => setShown(false)}>
        leave
      </button>
    </>
  );
}

describe("trap: a list that was left behind goes on at the server", () => {
  test("its request is aborted with the screen", async () => {
    const { calls } = await renderInRefine(<Shown isOn />, { server: () => new Promise(() => {}) });
    expect(calls[0]?.signal?.aborted).toBe(false);
    await act(async () => screen.getByRole("button", { name: "leave" }).click());
    expect(calls[0]?.signal?.aborted).toBe(true);
  });
});

function Custom() {
  const { query } = useCustom({ url: "/api/admin/x/", method: "get", errorNotification: false });
  const { mutate, mutation } = useCustomMutation();
  const report = (error: unknown) => (isDataError(error) ? `${error.statusCode} ${error.code}` : "none");
  return (
    <>
      <p>read: {report(query.error)}</p>
      <p>write: {report(mutation.error)}</p>
      <button
        type="button"
        onClick={() => mutate({ url: "/api/admin/x/", method: "post", values: {}, errorNotification: false })}
      >
        write
      </button>
    </>
  );
}

describe("trap: custom calls fail in another shape than the others", () => {
  test("useCustom and useCustomMutation reject with the provider's error", async () => {
    await renderInRefine(<Custom />, {
      server: () => ({ status: 409, body: { message: "No.", code: "conflict" } }),
    });
    await act(async () => screen.getByRole("button").click());
    expect(await screen.findByText("read: 409 conflict")).toBeTruthy();
    expect(await screen.findByText("write: 409 conflict")).toBeTruthy();
  });
});
