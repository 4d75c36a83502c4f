import { afterEach, describe, expect, test } from "@jest/globals";
import { Refine, useCan, useDelete, useUpdate } from "@refinedev/core";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { createHttp } from "#providers/http/http.ts";
import { fetchPermissions } from "#providers/refine/permissions.ts";
import { toAdminCsp } from "#server/http/pages/policies.ts";
import { renderInRefine } from "./test-refine.tsx";

const RESOURCE = "models/7/objects";
const ACTIONS = ["show", "edit", "delete"];

afterEach(cleanup);

function Button({ id, action }: { id: number; action: string }) {
  const { data } = useCan({ resource: RESOURCE, action, params: { id } });
  return <li>{data?.can ? "yes" : "no"}</li>;
}

function Rows() {
  const rows = Array.from({ length: 20 }, (_, at) => at + 1);
  return rows.map((id) =>
    ACTIONS.map((action) => <Button key={`${id} ${action}`} id={id} action={action} />),
  );
}

const PERMISSIONS = {
  access_level: 10,
  is_superuser: false,
  models: [
    {
      content_type_id: 7,
      app_label: "cv",
      model_name: "link",
      permissions: { view: true, create: true, update: true, delete: false },
    },
  ],
};

describe("trap: useCan asks once for each row and button", () => {
  test("20 rows with 3 buttons make no request beside the one permissions call of the session", async () => {
    const asked: string[] = [];
    const http = createHttp({
      baseUrl: "https://x.test",
      getLanguage: () => "en",
      fetch: async (address) => {
        asked.push(new URL(String(address)).pathname);
        // jsdom has no Response; this is what providers/http/http.ts reads of one.
        return { ok: true, status: 200, text: async () => JSON.stringify(PERMISSIONS) } as Response;
      },
    });
    const permissions = await fetchPermissions(http);
    if (!permissions) throw new Error("the permissions call failed");
    const { calls } = await renderInRefine(<Rows />, { server: () => ({ status: 500 }), permissions });
    await waitFor(() => expect(screen.getAllByText("yes")).toHaveLength(40));
    expect(screen.getAllByText("no")).toHaveLength(20);
    expect(asked).toEqual(["/api/admin/permissions/"]);
    expect(calls).toEqual([]);
  });
});

function Writes() {
  const { mutate: update } = useUpdate();
  const { mutate: remove } = useDelete();
  return (
    <>
      <button type="button" onClick={() => update({ resource: RESOURCE, id: 4, values: { label: "x" } })}>
        update
      </button>
      <button type="button" onClick={() => remove({ resource: RESOURCE, id: 4 })}>
        delete
      </button>
    </>
  );
}

describe("trap: auditLogProvider writes the log from the browser, after the fact and incomplete", () => {
  test("a write sends the write and nothing that publishes it: the server's transaction does", async () => {
    const { calls } = await renderInRefine(<Writes />, {
      server: ({ method }) => (method === "DELETE" ? { status: 204 } : { body: { id: 4, repr: "x" } }),
    });
    for (const name of ["update", "delete"]) {
      await act(async () => screen.getByRole("button", { name }).click());
    }
    const path = `/api/admin/${RESOURCE}/4/`;
    expect(calls.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      `PATCH ${path}`,
      `DELETE ${path}`,
    ]);
  });
});

/** Addresses of the pictures that are made while `run` draws: Refine's beacon is one that nobody sees. */
async function catchPictures(run: () => Promise<unknown>): Promise<string[]> {
  const addresses: string[] = [];
  const RealImage = globalThis.Image;
  class Picture {
    set src(address: string) {
      addresses.push(new URL(address).origin);
    }
  }
  // All that the beacon uses; jsdom's own is a factory that no class can extend.
  globalThis.Image = Picture as unknown as typeof Image;
  try {
    await run();
  } finally {
    globalThis.Image = RealImage;
  }
  return addresses;
}

describe("trap: Refine reports every start to telemetry.refine.dev", () => {
  test("as it comes, it does", async () => {
    const pictures = await catchPictures(() => act(async () => render(<Refine>as it comes</Refine>)));
    expect(pictures).toEqual(["https://telemetry.refine.dev"]);
  });

  test("as the console sets it up, no picture, beacon or request leaves the page", async () => {
    let calls: unknown[] = [];
    const pictures = await catchPictures(async () => {
      ({ calls } = await renderInRefine(<p>Here</p>, { server: () => ({}) }));
    });
    expect(screen.getByText("Here")).toBeTruthy();
    expect(pictures).toEqual([]);
    expect(calls).toEqual([]);
  });

  test("the console's content security policy would let none through", () => {
    const policy = toAdminCsp("nonce");
    expect(policy).toMatch(/(^|; )default-src 'self'(;|$)/);
    expect(policy).toMatch(/(^|; )img-src 'self' data: blob:(;|$)/);
    expect(policy).not.toMatch(/connect-src|refine\.dev|\*|https?:/);
  });
});
