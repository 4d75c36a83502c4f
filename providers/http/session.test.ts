/** @jest-environment node */

import { describe, expect, jest, test } from "@jest/globals";
import { toAccountUser } from "#test/account-user.ts";
import { NO_IDENTITY } from "#test/no-identity.ts";
import { createSafeStorage, type KeyStorage } from "../browser-storage.ts";
import { createHttp, HttpError } from "./http.ts";
import { createSession, type Identity, type SessionOptions } from "./session.ts";

const USER = toAccountUser();

const START_S = 1_800_000_000;
const LIFE_S = 900;

/** A back end with one account, refresh tokens that are spent by use, and a clock that the test moves. */
function createBackEnd() {
  const calls: string[] = [];
  const state = {
    nowS: START_S,
    validRefresh: "",
    count: 0,
    isDown: false,
    gate: Promise.resolve(),
    meGate: Promise.resolve(),
  };
  const issue = () => {
    state.count += 1;
    state.validRefresh = `refresh-${state.count}`;
    const claims = { iat: state.nowS, exp: state.nowS + LIFE_S, n: state.count };
    return { access: `h.${btoa(JSON.stringify(claims))}.s`, refresh: state.validRefresh };
  };
  const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

  async function answer(path: string, init: RequestInit): Promise<Response> {
    const body: Record<string, unknown> = init.body ? JSON.parse(String(init.body)) : {};
    if (state.isDown) throw new TypeError("Failed to fetch");
    switch (path) {
      case "/api/users/login/": {
        if (body.password !== "right") return json(401, { detail: "Invalid username or password" });
        const { access, refresh } = issue();
        return json(200, { tokens: { access_token: access, refresh_token: refresh }, user: USER });
      }
      case "/api/auth/token/refresh/":
        await state.gate;
        return body.refresh === state.validRefresh ? json(200, issue()) : json(401, { detail: "Spent" });
      case "/api/users/me/":
        await state.meGate;
        return json(200, USER);
      case "/api/users/logout/":
        state.validRefresh = "";
        return new Response(null, { status: 204 });
      default:
        return json(404, {});
    }
  }
  const fakeFetch = (url: unknown, init: RequestInit = {}) => {
    calls.push(String(url));
    return answer(String(url), init);
  };
  return { calls, state, fetch: fakeFetch as typeof fetch, now: () => state.nowS * 1000 };
}

function createMemoryStorage(): KeyStorage & { map: Map<string, string> } {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}

/** One browser: storage and locks are shared, each tab has its own session. */
function createBrowser() {
  const backEnd = createBackEnd();
  const storage = createMemoryStorage();
  let queue: Promise<unknown> = Promise.resolve();
  const locks = {
    request(_name: string, task: () => Promise<unknown>) {
      const run = queue.then(task);
      queue = run.catch(() => undefined);
      return run;
    },
  } as unknown as Pick<LockManager, "request">;
  const openTab = (options: Partial<SessionOptions> = {}) => {
    const events = new EventTarget();
    const ended: string[] = [];
    const session = createSession({
      ...NO_IDENTITY,
      getLanguage: () => "en",
      baseUrl: "",
      fetch: backEnd.fetch,
      storage,
      locks,
      events,
      now: backEnd.now,
      onSessionEnd: (why) => ended.push(why),
      ...options,
    });
    const publishStorage = (key: string | null) =>
      events.dispatchEvent(Object.assign(new Event("storage"), { key }));
    return { session, ended, publishStorage };
  };
  return { ...backEnd, storage, openTab };
}

type Tab = ReturnType<ReturnType<typeof createBrowser>["openTab"]>;

const countOf = (calls: string[], path: string) => calls.filter((call) => call === path).length;
const REFRESH = "/api/auth/token/refresh/";

describe("signing in", () => {
  test("keeps the refresh token and the documented state in storage, and the access token nowhere", async () => {
    const { storage, openTab } = createBrowser();
    const { session } = openTab();
    const state = await session.signIn("isil", "right");
    expect(state.user.username).toBe("isil");
    expect(storage.map.get("refresh_token")).toBe("refresh-1");
    const saved = JSON.parse(storage.map.get("auth_state") ?? "");
    expect(Object.keys(saved).sort()).toEqual([
      "availableModels",
      "lastActivity",
      "permissions",
      "profile",
      "user",
    ]);
    expect([...storage.map.values()].join()).not.toContain((await session.getAccessToken()) ?? "none");
  });

  test.each([
    ["/api/users/login/", "login_failed", "User login failed"],
    [REFRESH, "token_refresh_failed", "JWT token refresh failed"],
    ["/api/users/me/", "user_info_failed", "Failed to fetch user info"],
  ])("that fails at %s without a word has the documented one", async (path, code, message) => {
    const { storage, fetch, openTab } = createBrowser();
    storage.setItem("refresh_token", "refresh-0");
    await openTab().session.signIn("isil", "right");
    const silent = (url: unknown, init?: RequestInit) =>
      url === path ? Promise.resolve(new Response("", { status: 500 })) : fetch(String(url), init);
    const { session } = openTab({ fetch: silent as typeof fetch });
    const act = path.includes("login") ? session.signIn("isil", "right") : session.restore();
    await expect(act).rejects.toMatchObject({ code, message, status: 500 });
  });

  test("with a wrong password leaves nothing behind", async () => {
    const { storage, openTab } = createBrowser();
    const { session, ended } = openTab();
    await expect(session.signIn("isil", "wrong")).rejects.toMatchObject({ status: 401 });
    expect(storage.map.size).toBe(0);
    expect(ended).toEqual([]);
  });
});

describe("a session that another call opened", () => {
  const toAnswer = (refresh_token: string, access_token = "opaque", id = 1) => ({
    tokens: { access_token, refresh_token },
    user: { ...USER, id },
  });

  test("is taken over as a sign-in would be: tokens, documented state, listeners", async () => {
    const { storage, calls, openTab } = createBrowser();
    const { session } = openTab();
    let changes = 0;
    session.subscribe(() => {
      changes += 1;
    });
    expect(session.adopt(toAnswer("given")).user.id).toBe(1);
    expect(storage.map.get("refresh_token")).toBe("given");
    expect(storage.map.get("auth_state")).not.toContain("opaque");
    expect(await session.getAccessToken()).toBe("opaque");
    expect([changes, calls]).toEqual([1, []]);
  });

  test("leaves nothing of the person before", async () => {
    const { openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    session.updateAuthState({ permissions: ["cv.certificate:update"] });
    expect(session.adopt(toAnswer("given", "opaque", 2))).toMatchObject({ user: { id: 2 }, permissions: [] });
  });

  test("outlives a renewal of the one before that was under way, also a refused one", async () => {
    const { state, storage, openTab } = createBrowser();
    const { session, ended } = openTab();
    await session.signIn("isil", "right");
    state.nowS += LIFE_S;
    let open = () => {};
    state.gate = new Promise((resolve) => {
      open = resolve;
    });
    const token = session.getAccessToken();
    // A new password ends all sessions and opens this one.
    state.validRefresh = "given";
    session.adopt(toAnswer("given"));
    open();
    expect(await token).not.toBeNull();
    expect(storage.map.get("refresh_token")).toBe("refresh-2");
    expect(ended).toEqual([]);
  });

  test("is renewed by one tab at a time, whichever took it over", async () => {
    const { state, calls, openTab } = createBrowser();
    const [a, b] = [openTab(), openTab()];
    state.validRefresh = "given";
    a.session.adopt(toAnswer("given", `h.${btoa(JSON.stringify({ iat: 0, exp: 1 }))}.s`));
    state.nowS += LIFE_S;
    const tokens = await Promise.all([a, b, a, b].map(({ session }) => session.getAccessToken()));
    expect(tokens.every(Boolean)).toBe(true);
    expect(countOf(calls, REFRESH)).toBe(2);
    expect([...a.ended, ...b.ended]).toEqual([]);
  });

  test("ends in all tabs when one signs out", async () => {
    const { openTab } = createBrowser();
    const [a, b] = [openTab(), openTab()];
    a.session.adopt(toAnswer("given"));
    b.publishStorage("auth_state");
    expect(b.session.getAuthState()?.user.id).toBe(1);
    await a.session.signOut();
    b.publishStorage("refresh_token");
    expect(b.session.getAuthState()).toBeNull();
    expect(b.ended).toEqual(["elsewhere"]);
  });
});

describe("the access token", () => {
  test("is used while 300 s or more remain and renewed below that", async () => {
    const { state, calls, openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    state.nowS = START_S + LIFE_S - 301;
    const first = await session.getAccessToken();
    expect(countOf(calls, REFRESH)).toBe(0);
    state.nowS = START_S + LIFE_S - 299;
    expect(await session.getAccessToken()).not.toBe(first);
    expect(countOf(calls, REFRESH)).toBe(1);
  });

  test("is renewed once for many calls at the same time", async () => {
    const { state, calls, openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    state.nowS += LIFE_S;
    const tokens = await Promise.all([1, 2, 3, 4].map(() => session.getAccessToken()));
    expect(new Set(tokens).size).toBe(1);
    expect(countOf(calls, REFRESH)).toBe(1);
  });

  test("that the server refused is not renewed again when another call has done it already", async () => {
    const { calls, openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    const refused = (await session.getAccessToken()) ?? "";
    const renewed = await session.renewAccessToken(refused);
    expect(await session.renewAccessToken(refused)).toBe(renewed);
    expect(countOf(calls, REFRESH)).toBe(1);
  });

  test("comes from a refresh token that no other tab spends", async () => {
    const { calls, openTab } = createBrowser();
    const [a, b, c] = [openTab(), openTab(), openTab()];
    await a.session.signIn("isil", "right");
    const tokens = await Promise.all([b.session.getAccessToken(), c.session.getAccessToken()]);
    expect(tokens.every(Boolean)).toBe(true);
    expect(countOf(calls, REFRESH)).toBe(2);
    expect([...b.ended, ...c.ended]).toEqual([]);
  });

  test("without locks comes from the other tab's token when that was faster", async () => {
    const { openTab } = createBrowser();
    const [a, b, c] = [openTab(), openTab({ locks: undefined }), openTab({ locks: undefined })];
    await a.session.signIn("isil", "right");
    const tokens = await Promise.all([b.session.getAccessToken(), c.session.getAccessToken()]);
    expect(tokens.every(Boolean)).toBe(true);
    expect([...b.ended, ...c.ended]).toEqual([]);
  });
});

describe("a failed refresh", () => {
  test("that the server refuses clears the tokens, the state, and notifies the page once", async () => {
    const { state, storage, openTab } = createBrowser();
    const { session, ended } = openTab();
    await session.signIn("isil", "right");
    state.nowS += LIFE_S;
    state.validRefresh = "ended elsewhere";
    expect(await Promise.all([session.getAccessToken(), session.getAccessToken()])).toEqual([null, null]);
    expect(storage.map.size).toBe(0);
    expect(session.getAuthState()).toBeNull();
    expect(ended).toEqual(["expired"]);
  });

  test.each(["session_aged", "session_unused"])("by %s brings what the server says of it", async (code) => {
    const { storage, openTab } = createBrowser();
    const message = "It wasn't used for 12 hours.";
    const told: unknown[] = [];
    storage.map.set("refresh_token", "old");
    const answer = { message, code, status: 401, errors: [] };
    const { session } = openTab({
      fetch: async () => new Response(JSON.stringify(answer), { status: 401 }),
      onSessionEnd: (...end) => told.push(end),
    });
    expect(await session.getAccessToken()).toBeNull();
    expect(told).toEqual([["expired", message]]);
  });

  test("because the server is down ends nothing and is tried again later", async () => {
    const { state, storage, openTab } = createBrowser();
    const { session, ended } = openTab();
    await session.signIn("isil", "right");
    state.nowS += LIFE_S;
    state.isDown = true;
    await expect(session.getAccessToken()).rejects.toThrow(HttpError);
    state.isDown = false;
    expect(await session.getAccessToken()).not.toBeNull();
    expect(storage.map.get("refresh_token")).toBe("refresh-2");
    expect(ended).toEqual([]);
  });
});

describe("restoring", () => {
  test("without a refresh token answers null, asks nobody and forgets a stale state", async () => {
    const { calls, storage, openTab } = createBrowser();
    const { session: first } = openTab();
    await first.signIn("isil", "right");
    storage.removeItem("refresh_token");
    calls.length = 0;
    const { session } = openTab();
    expect(session.getAuthState()).not.toBeNull();
    expect(await session.restore()).toBeNull();
    expect(session.getAuthState()).toBeNull();
    expect(calls).toEqual([]);
  });

  test("confirms the person with the server and keeps what was known of them", async () => {
    const { openTab } = createBrowser();
    const { session: first } = openTab();
    await first.signIn("isil", "right");
    first.updateAuthState({ permissions: ["cv.certificate:update"] });
    const state = await openTab().session.restore();
    expect(state).toMatchObject({ user: { id: 1 }, permissions: ["cv.certificate:update"] });
  });

  test.each(["{", "null", '{"user":1}', '"x"'])("survives %s in auth_state", async (value) => {
    const { storage, openTab } = createBrowser();
    storage.setItem("auth_state", value);
    const { session } = openTab();
    expect(session.getAuthState()).toBeNull();
    expect(await session.restore()).toBeNull();
  });
});

describe("signing out", () => {
  test("forgets everything at once and ends the session on the server", async () => {
    const { state, storage, openTab } = createBrowser();
    const { session, ended } = openTab();
    await session.signIn("isil", "right");
    const done = session.signOut();
    expect(storage.map.size).toBe(0);
    await done;
    expect(state.validRefresh).toBe("");
    expect(ended).toEqual([]);
  });

  test("takes along what the person left unsaved in the console, and nothing of others", async () => {
    // As browsers have it: the items are the object's own keys.
    const items: Storage = Object.create({
      getItem(this: Record<string, string>, key: string) {
        return Object.hasOwn(this, key) ? this[key] : null;
      },
      setItem(this: Record<string, string>, key: string, value: string) {
        this[key] = value;
      },
      removeItem(this: Record<string, string>, key: string) {
        delete this[key];
      },
    });
    const session = createSession({
      ...NO_IDENTITY,
      ...createBackEnd(),
      getLanguage: () => "en",
      storage: createSafeStorage(() => items),
      locks: undefined,
      events: new EventTarget(),
    });
    await session.signIn("isil", "right");
    const kept = [`foyer_draft:${USER.id}0:models/7/objects:new`, "preferred-language"];
    for (const key of [`foyer_draft:${USER.id}:models/7/objects:4`, ...kept]) items.setItem(key, "{}");
    await session.signOut();
    expect(Object.keys(items)).toEqual(kept);
  });

  test("is remembered until somebody signs in again", async () => {
    const { session } = createBrowser().openTab();
    await session.signIn("isil", "right");
    expect(session.hasSignedOut()).toBe(false);
    const done = session.signOut();
    expect(session.hasSignedOut()).toBe(true);
    await done;
    await session.signIn("isil", "right");
    expect(session.hasSignedOut()).toBe(false);
  });

  test("works while the server is down", async () => {
    const { state, openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    state.isDown = true;
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    await session.signOut();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    expect(await session.getAccessToken()).toBeNull();
  });

  test("is not undone by a refresh that was under way", async () => {
    const { state, storage, openTab } = createBrowser();
    const { session } = openTab();
    await session.signIn("isil", "right");
    state.nowS += LIFE_S;
    let open = () => {};
    state.gate = new Promise((resolve) => {
      open = resolve;
    });
    const token = session.getAccessToken();
    await session.signOut();
    open();
    expect(await token).toBeNull();
    expect(storage.map.size).toBe(0);
  });

  test.each([
    ["in the same tab", (a: Tab) => a.session.signOut()],
    [
      "in another tab",
      async (a: Tab, b: Tab) => {
        await b.session.signOut();
        a.publishStorage("refresh_token");
      },
    ],
    ["in another tab whose event has not come yet", (_a: Tab, b: Tab) => b.session.signOut()],
  ])("%s is not undone by a restore that was under way", async (_where, signOut) => {
    const { state, storage, openTab } = createBrowser();
    const [a, b] = [openTab(), openTab()];
    await a.session.signIn("isil", "right");
    await b.session.restore();
    let open = () => {};
    state.meGate = new Promise((resolve) => {
      open = resolve;
    });
    const restored = a.session.restore();
    await signOut(a, b);
    open();
    expect(await restored).toBeNull();
    expect(a.session.getAuthState()).toBeNull();
    expect(storage.map.size).toBe(0);
  });

  test("in one tab signs out the others", async () => {
    const { openTab } = createBrowser();
    const [a, b] = [openTab(), openTab()];
    await a.session.signIn("isil", "right");
    await b.session.restore();
    let changes = 0;
    b.session.subscribe(() => {
      changes += 1;
    });
    await a.session.signOut();
    b.publishStorage("refresh_token");
    expect(b.session.getAuthState()).toBeNull();
    expect(b.ended).toEqual(["elsewhere"]);
    expect(changes).toBe(1);
    expect(await b.session.getAccessToken()).toBeNull();
  });
});

test("another person signing in in another tab takes this tab's access token away", async () => {
  const { calls, storage, openTab } = createBrowser();
  const { session, publishStorage } = openTab();
  await session.signIn("isil", "right");
  const saved = JSON.parse(storage.map.get("auth_state") ?? "");
  storage.setItem("auth_state", JSON.stringify({ ...saved, user: { ...USER, id: 2, username: "efe" } }));
  publishStorage("auth_state");
  expect(session.getAuthState()?.user.username).toBe("efe");
  await session.getAccessToken();
  expect(countOf(calls, REFRESH)).toBe(1);
});

test("a browser whose storage throws can still sign in, for as long as the page lives", async () => {
  const { openTab } = createBrowser();
  const broken = () => {
    throw new DOMException("Denied", "SecurityError");
  };
  const { session } = openTab({ storage: createSafeStorage(broken) });
  await session.signIn("isil", "right");
  expect(await session.getAccessToken()).not.toBeNull();
  await session.signOut();
  expect(await session.getAccessToken()).toBeNull();
});

test("an access token that is no JWT is used until the server refuses it", async () => {
  const { openTab } = createBrowser();
  const opaque = async () =>
    new Response(JSON.stringify({ tokens: { access_token: "opaque", refresh_token: "r" }, user: USER }));
  const { session } = openTab({ fetch: opaque as unknown as typeof fetch });
  await session.signIn("isil", "right");
  expect(await session.getAccessToken()).toBe("opaque");
});

test("calls of the session's client carry its token", async () => {
  const { fetch, openTab } = createBrowser();
  const { session } = openTab();
  await session.signIn("isil", "right");
  const seen: (string | null)[] = [];
  const spy = (url: unknown, init?: RequestInit) => {
    seen.push(new Headers(init?.headers).get("Authorization"));
    return fetch(String(url), init);
  };
  await createHttp({ getLanguage: () => "en", session, fetch: spy as typeof fetch }).request(
    "/api/users/me/",
  );
  expect(seen).toEqual([`Bearer ${await session.getAccessToken()}`]);
});

describe("a second factor", () => {
  const LOGIN = { tokens: { access_token: "h.e30.s", refresh_token: "refresh-by-factor" }, user: USER };
  const REFUSED = {
    code: "second_factor_required",
    message: "A second factor is needed.",
    second_factor: {},
  };

  /** A session over a back end that answers each call so, and asks the person by `identity`. */
  function open(answer: { status: number; body: unknown }, identity: Partial<Identity>) {
    const storage = createMemoryStorage();
    const loads: string[] = [];
    const session = createSession({
      getLanguage: () => "en",
      fetch: (async () =>
        new Response(JSON.stringify(answer.body), { status: answer.status })) as typeof fetch,
      storage,
      locks: undefined,
      events: new EventTarget(),
      now: () => START_S * 1000,
      identity: async () => {
        loads.push("identity");
        return identity as Identity; // what a test asks of it
      },
    });
    return { session, storage, loads };
  }
  const refresh = (storage: KeyStorage) => storage.getItem("refresh_token");

  test("is asked for after the password, and opens the session", async () => {
    const refusals: unknown[] = [];
    const proveFactor: Identity["proveFactor"] = async (_http, refusal) => {
      refusals.push(refusal);
      return LOGIN;
    };
    const { session, storage } = open({ status: 401, body: REFUSED }, { proveFactor });
    expect((await session.signIn("isil", "right")).user).toEqual(USER);
    expect(refusals).toMatchObject([{ code: "second_factor_required", answer: REFUSED }]);
    expect(refresh(storage)).toBe("refresh-by-factor");
  });

  test("that isn't shown opens none: the refusal comes back", async () => {
    const proveFactor: Identity["proveFactor"] = (_http, refusal) => Promise.reject(refusal);
    const { session, storage } = open({ status: 401, body: REFUSED }, { proveFactor });
    await expect(session.signIn("isil", "right")).rejects.toMatchObject({ code: "second_factor_required" });
    expect([session.getAuthState(), refresh(storage)]).toEqual([null, null]);
  });

  test("is asked for by no other refusal, and nothing is loaded", async () => {
    const { session, loads } = open(
      { status: 401, body: { code: "invalid_credentials", message: "No" } },
      {},
    );
    await expect(session.signIn("isil", "wrong")).rejects.toMatchObject({ code: "invalid_credentials" });
    const other = new TypeError("x");
    await expect(session.proveFactor(other)).rejects.toBe(other);
    expect(loads).toEqual([]);
  });

  test("that is a passkey opens a session by itself", async () => {
    const { session, storage } = open({ status: 500, body: {} }, { signInByPasskey: async () => LOGIN });
    expect((await session.signInByPasskey()).user).toEqual(USER);
    expect(refresh(storage)).toBe("refresh-by-factor");
  });

  const STEP_UP = new HttpError("Is it you?", "step_up_required", 403);

  test("a confirmation gives the token that calls go out with; given up, and for guests, it gives none", async () => {
    const claims = { iat: START_S, exp: START_S + LIFE_S };
    const token = `h.${btoa(JSON.stringify(claims))}.s`;
    const names: string[] = [];
    const given = [token, undefined];
    const confirmPerson: Identity["confirmPerson"] = async (_http, username) => {
      names.push(username);
      return given.shift();
    };
    const { session } = open({ status: 200, body: LOGIN }, { confirmPerson });
    expect(await session.confirm?.(STEP_UP)).toBe(false);
    await session.signIn("isil", "right");
    expect(await session.confirm?.(STEP_UP)).toBe(true);
    expect(await session.getAccessToken()).toBe(token);
    expect(await session.confirm?.(STEP_UP)).toBe(false);
    expect(names).toEqual(["isil", "isil"]);
  });
});
