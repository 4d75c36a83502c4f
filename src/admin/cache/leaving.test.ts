import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import type { AuthState } from "#providers/http/auth-state.ts";
import { clearOnLeaving } from "./leaving.ts";
import { createQueryClient } from "./query-client.ts";

const KEY = ["data", "default", "users", "list", {}];
const LEFT = ["data", "default", "actions", "list", {}];

let client: QueryClient;
let userId: number | undefined;
let hasSession: boolean;
let emit: () => void;
let page: EventTarget;
let stop: () => void;
let fetches: number;

// The rules read the person's id alone.
const toState = () => (userId === undefined ? null : ({ user: { id: userId } } as AuthState));
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
const isKept = (queryKey: readonly unknown[]) => client.getQueryData(queryKey) !== undefined;

beforeEach(async () => {
  client = createQueryClient();
  userId = 1;
  hasSession = true;
  fetches = 0;
  page = new EventTarget();
  const session = {
    subscribe(listener: () => void) {
      emit = listener;
      return () => {};
    },
    getAuthState: toState,
    signIn: () => Promise.reject(new Error("unused")),
    restore: async () => (hasSession ? toState() : null),
  };
  stop = clearOnLeaving(client, session, page as Window);
  client.setQueryData(LEFT, ["entry"]);
  new QueryObserver(client, { queryKey: KEY, queryFn: async () => ++fetches }).subscribe(() => {});
  await settle();
});
afterEach(() => {
  stop();
  client.clear();
});

const comeBack = () => {
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  return settle();
};

test("leaving the page empties the cache, and what Back brings again is fetched anew", async () => {
  page.dispatchEvent(new Event("pagehide"));
  expect([isKept(KEY), isKept(LEFT)]).toEqual([false, false]);
  await comeBack();
  expect(client.getQueryData(KEY)).toBe(2);
});

test("a page that comes back without a session stays empty", async () => {
  page.dispatchEvent(new Event("pagehide"));
  hasSession = false;
  await comeBack();
  expect([isKept(KEY), fetches]).toEqual([false, 1]);
});

test("logging out forgets what is not on the screen", () => {
  userId = undefined;
  emit();
  expect([isKept(KEY), isKept(LEFT)]).toEqual([true, false]);
});

test("somebody else who signs in gets answers of their own", async () => {
  userId = 2;
  emit();
  await settle();
  expect(isKept(LEFT)).toBe(false);
  expect(client.getQueryData(KEY)).toBe(2);
});

test("news of the same person change nothing", async () => {
  emit();
  await settle();
  expect([isKept(KEY), isKept(LEFT), fetches]).toEqual([true, true, 1]);
});
