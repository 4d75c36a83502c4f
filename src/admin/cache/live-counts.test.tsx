import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { act, cleanup, screen } from "@testing-library/react";
import type { JoinOptions, Socket } from "#providers/socket/socket.ts";
import { renderAdmin } from "../test-admin.tsx";
import { buildModel } from "../views/test-model.ts";
import { COUNTS_INTERVAL_MS, createLiveCounts, type LiveCounts } from "./live-counts.ts";
import { createQueryClient } from "./query-client.ts";

describe("use live counts", () => {
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
    expect(await screen.findByText(/3 objects/)).toBeTruthy();
    expect([...members.values()]).toEqual(["admin:cv.certificate"]);
    models[0] = buildModel({ count: 4 });
    await act(async () => {
      const event = { type: "created", content_type_id: 7, ids: [9], is_many: false };
      for (const { on } of members.keys()) on.changed?.(event);
    });
    expect(await screen.findByText(/4 objects/)).toBeTruthy();
    await act(() => router.navigate("/admin/nowhere"));
    expect(members.size).toBe(0);
  });
});

describe("live counts", () => {
  const RESOURCE = "models/7/objects";
  const MODELS = ["data", "default", "models", "list", {}];
  const NAMES = ["data", "default", RESOURCE, "many", ["1"]];
  const RECORD = ["data", "default", RESOURCE, "one", "1"];

  let client: QueryClient;
  let counts: LiveCounts;
  let fetches: { models: number; record: number };

  beforeEach(async () => {
    jest.useFakeTimers();
    client = createQueryClient();
    counts = createLiveCounts(client);
    fetches = { models: 0, record: 0 };
    new QueryObserver(client, { queryKey: MODELS, queryFn: async () => ++fetches.models }).subscribe(
      () => {},
    );
    new QueryObserver(client, { queryKey: RECORD, queryFn: async () => ++fetches.record }).subscribe(
      () => {},
    );
    client.setQueryData(NAMES, ["AWS"]);
    await jest.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    counts.close();
    client.clear();
    jest.useRealTimers();
  });

  const note = async (type: "created" | "updated" | "deleted" | "*", isMany = false) => {
    counts.note(RESOURCE, { channel: "", type, payload: { ids: [1], isMany }, date: new Date() });
    await jest.advanceTimersByTimeAsync(0);
  };

  test("a row that comes brings new counts at once, and more of them one fetch for five seconds", async () => {
    await note("created");
    expect(fetches.models).toBe(2);
    await note("deleted");
    await note("created");
    expect(fetches.models).toBe(2);
    await jest.advanceTimersByTimeAsync(COUNTS_INTERVAL_MS);
    expect(fetches.models).toBe(3);
  });

  test.each([
    ["updated", false, 1],
    ["updated", true, 2],
    ["*", true, 1],
  ] as const)("an event %s (of many: %s) leaves counts fetched %d times", async (type, isMany, times) => {
    await note(type, isMany);
    expect(fetches.models).toBe(times);
  });

  test("cached names and records are stale, and an open form keeps what it was opened with", async () => {
    await note("updated");
    expect(client.getQueryState(NAMES)?.isInvalidated).toBe(true);
    expect(client.getQueryState(RECORD)?.isInvalidated).toBe(true);
    expect(fetches.record).toBe(1);
  });
});
