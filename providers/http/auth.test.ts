import { expect, test } from "@jest/globals";
import { createAuthProvider } from "./auth.ts";

function createFake() {
  const left: string[] = [];
  const session = {
    signIn: async () => Promise.reject(new Error("unused")),
    signOut: async () => {},
    getAuthState: () => null,
  };
  const provider = createAuthProvider({
    session,
    leave: (address) => left.push(address),
    getLocation: () => ({ pathname: "/admin/models/7", search: "?search=R%26D", hash: "" }),
  });
  return { provider, left, session };
}

test("a 401 leads to the log-in page by a document load, with the whole way back", async () => {
  const { provider, left } = createFake();
  expect(await provider.onError({ statusCode: 401 })).toEqual({});
  expect(left).toEqual(["/login?redirect=%2Fadmin%2Fmodels%2F7%3Fsearch%3DR%2526D"]);
});

test("other errors lead nowhere", async () => {
  const { provider, left } = createFake();
  await provider.onError({ statusCode: 403 });
  expect(left).toEqual([]);
});

test("signing out leads to the log-in page", async () => {
  const { provider, left } = createFake();
  expect(await provider.logout({})).toEqual({ success: true });
  expect(left).toEqual(["/login"]);
});

test("a call that a log-out overtakes leads nowhere else", async () => {
  const { provider, left, session } = createFake();
  const reached = Promise.withResolvers<void>();
  session.signOut = () => reached.promise;
  const loggedOut = provider.logout({});
  await provider.onError({ statusCode: 401 });
  expect(left).toEqual([]);
  reached.resolve();
  await loggedOut;
  await provider.onError({ statusCode: 401 });
  expect(left).toEqual(["/login", "/login"]);
});

test("a log-out that fails is no reason to stay at the next 401", async () => {
  const { provider, left, session } = createFake();
  session.signOut = () => Promise.reject(new Error("storage is full"));
  await expect(provider.logout({})).rejects.toThrow("storage is full");
  await provider.onError({ statusCode: 401 });
  expect(left).toEqual(["/login"]);
});
