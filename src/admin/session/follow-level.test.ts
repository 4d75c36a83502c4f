import { expect, jest, test } from "@jest/globals";
import { QueryClient } from "@tanstack/react-query";
import type { AuthState } from "#providers/http/auth-state.ts";
import { followLevel } from "./follow-level.ts";

const toState = (access_level: number) => ({ user: { access_level } }) as AuthState; // the part that is read

/** A person of level 10 whose level the server gives as `next` when it is asked again. */
function follow(next: number) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let state = toState(10);
  let listener = () => {};
  const restore = jest.fn(async () => {
    state = toState(next);
    listener();
    return state;
  });
  const onChange = jest.fn();
  let clock = 0;
  const subscribe = (onEvent: () => void) => {
    listener = onEvent;
    return () => {};
  };
  const session = { subscribe, getAuthState: () => state, restore };
  const stop = followLevel({ queryClient, session, level: 10, onChange, now: () => clock });
  const fail = (key: string, statusCode: number) =>
    queryClient
      .fetchQuery({
        queryKey: [key],
        queryFn: () => Promise.reject({ message: "No", statusCode, fieldErrors: [] }),
      })
      .catch(() => {});
  const wait = (ms: number) => {
    clock += ms;
  };
  return { queryClient, restore, onChange, fail, wait, stop };
}

test("whoever was demoted meanwhile starts again at the first refusal", async () => {
  const { fail, onChange } = follow(1);
  await fail("users", 403);
  await Promise.resolve();
  expect(onChange).toHaveBeenCalledTimes(1);
});

test("whoever owes a second factor since starts again, and the server isn't asked for the level", async () => {
  const { queryClient, restore, onChange } = follow(10);
  const refused = { message: "No", statusCode: 403, code: "second_factor_due", fieldErrors: [] };
  await queryClient
    .fetchQuery({ queryKey: ["users"], queryFn: () => Promise.reject(refused) })
    .catch(() => {});
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(restore).not.toHaveBeenCalled();
});

test("a refused write asks too", async () => {
  const { queryClient, onChange } = follow(999);
  const mutation = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => Promise.reject({ message: "No", statusCode: 403, fieldErrors: [] }),
  });
  await mutation.execute(undefined).catch(() => {});
  expect(onChange).toHaveBeenCalledTimes(1);
});

test("a refusal at the same level changes nothing, and a screen of them asks once", async () => {
  const { fail, restore, onChange, wait } = follow(10);
  await fail("users", 403);
  await fail("models", 403);
  expect(restore).toHaveBeenCalledTimes(1);
  wait(10_000);
  await fail("actions", 403);
  expect(restore).toHaveBeenCalledTimes(2);
  expect(onChange).not.toHaveBeenCalled();
});

test("other failures ask nothing", async () => {
  const { fail, restore } = follow(1);
  await fail("users", 500);
  await fail("models", 404);
  expect(restore).not.toHaveBeenCalled();
});
