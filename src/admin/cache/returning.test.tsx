import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen } from "@testing-library/react";
import type { SocketStatus } from "#providers/socket/link.ts";
import { renderAdmin } from "../test-admin.tsx";
import { pass, stopClock, until } from "../test-clock.ts";
import { createFakeTopics } from "../test-topics.ts";
import { buildField, buildModel } from "../views/test-model.ts";
import { LIST_LIFETIME_MS, MODELS_LIFETIME_MS } from "./freshness.ts";

const MODEL = buildModel({ fields: [buildField({ name: "label", verbose_name: "Label" })] });
const JOBS = { ...MODEL, content_type_id: 8, model_name: "job", verbose_name_plural: "Jobs" };
const CERTIFICATES = "admin:cv.certificate";
/** Longer than a list waits for its topic. */
const A_MOMENT_MS = 500;

beforeEach(stopClock);
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const getLink = (name: string) => screen.queryByRole("link", { name });

/** The console at the list of certificates, its topic joined, and a clock that the test moves. */
async function openList({ answersTopics = true } = {}) {
  const topics = createFakeTopics({ isJoining: answersTopics });
  const listeners = new Set<() => void>();
  let status: SocketStatus = answersTopics ? "connected" : "reconnecting";
  const calls: string[] = [];
  let label = "Ada";
  const { router } = await renderAdmin({
    address: "/admin/models/7",
    models: [MODEL, JOBS],
    onModels: () => calls.push("models"),
    socket: {
      join: topics.join,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      getStatus: () => status,
      tryNow() {},
    },
    server({ url }) {
      const [, resource] = /models\/(\d+)\/objects\/$/.exec(url.pathname) ?? [];
      calls.push(resource ?? url.pathname);
      const pagination = { page: 1, page_size: 20, total_count: 1, total_pages: 1 };
      return { body: { objects: [{ id: 1, repr: label, label }], pagination } };
    },
  });
  await pass(A_MOMENT_MS);
  await until(() => getLink("Ada"));
  const go = async (address: string) => {
    await act(() => router.navigate(address));
    await pass(A_MOMENT_MS);
  };
  return {
    topics,
    go,
    /** Models and back. */
    async leaveAndReturn(awayMs = 0) {
      await go("/admin/models");
      await until(() => screen.queryByRole("heading", { name: "Models" }));
      await pass(awayMs);
      await go("/admin/models/7");
      await until(() => screen.queryByRole("table"));
    },
    lists: () => calls.filter((call) => call === "7").length,
    models: () => calls.filter((call) => call === "models").length,
    edit: (next: string) => {
      label = next;
    },
    async become(next: SocketStatus) {
      await act(async () => {
        status = next;
        for (const listener of listeners) listener();
      });
    },
  };
}

test("coming back to a list asks for nothing while it is fresh, and again after two minutes", async () => {
  const { leaveAndReturn, lists, models } = await openList();
  await leaveAndReturn(60_000);
  await leaveAndReturn(LIST_LIFETIME_MS - 60_000 - 10 * A_MOMENT_MS);
  expect([lists(), models()]).toEqual([1, 1]);
  await leaveAndReturn(10 * A_MOMENT_MS);
  expect([lists(), models()]).toEqual([2, 1]);
});

test("model information is asked for again after ten minutes", async () => {
  const { leaveAndReturn, models } = await openList();
  await leaveAndReturn(MODELS_LIFETIME_MS);
  expect(models()).toBe(2);
});

test("what somebody writes while one is elsewhere makes the list ask again", async () => {
  const { leaveAndReturn, topics, lists, edit, go } = await openList();
  await go("/admin/models/8");
  edit("Ayşe");
  await topics.publish(CERTIFICATES, { ids: [1] });
  await leaveAndReturn();
  await until(() => getLink("Ayşe"));
  expect(lists()).toBe(2);
});

test("a loss of the connection while one is elsewhere makes the list ask again, once it is over too", async () => {
  const { leaveAndReturn, topics, lists, edit, go, become } = await openList();
  await go("/admin/models/8");
  await become("reconnecting");
  edit("Ayşe");
  await become("connected");
  await topics.rejoin(CERTIFICATES);
  await leaveAndReturn();
  await until(() => getLink("Ayşe"));
  expect(lists()).toBe(2);
});

test("without a connection cached rows are shown, and asked for again each time", async () => {
  const { leaveAndReturn, lists, edit } = await openList({ answersTopics: false });
  edit("Ayşe");
  await leaveAndReturn();
  await until(() => getLink("Ayşe"));
  expect(lists()).toBe(2);
});

test("a topic that the server has closed keeps nothing fresh", async () => {
  const { leaveAndReturn, topics, lists, edit, go } = await openList();
  await go("/admin/models/8");
  await topics.close(CERTIFICATES);
  edit("Ayşe");
  await leaveAndReturn();
  await until(() => getLink("Ayşe"));
  expect(lists()).toBe(2);
});
