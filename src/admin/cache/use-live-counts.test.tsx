import { afterEach, expect, test } from "@jest/globals";
import { act, cleanup, screen } from "@testing-library/react";
import type { JoinOptions, Socket } from "#providers/socket.ts";
import { renderAdmin } from "../test-admin.tsx";
import { buildModel } from "../views/test-model.ts";

const WAIT = { timeout: 60_000 };

afterEach(cleanup);

test("the models page counts along while somebody else writes, and leaves the topics with the page", async () => {
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
  const models = [buildModel({ count: 3 })];
  const { router } = await renderAdmin({
    address: "/admin/models",
    models,
    socket,
    server: () => ({ status: 404 }),
  });
  expect(await screen.findByText(/3 objects/, undefined, WAIT)).toBeTruthy();
  expect([...members.values()]).toEqual(["admin:cv.certificate"]);
  models[0] = buildModel({ count: 4 });
  await act(async () => {
    const event = { type: "created", content_type_id: 7, ids: [9], is_many: false };
    for (const { on } of members.keys()) on.changed?.(event);
  });
  expect(await screen.findByText(/4 objects/, undefined, WAIT)).toBeTruthy();
  await act(() => router.navigate("/admin/nowhere"));
  expect(members.size).toBe(0);
});
