import {
  type AccountUser,
  accountUser,
  type LoginAnswer,
  loginAnswer,
  refreshAnswer,
} from "#contract/accounts/accounts.ts";
import { AUTH_STATE_KEY, createSafeStorage, type KeyStorage, REFRESH_TOKEN_KEY } from "../browser-storage.ts";
import { type AccessToken, toAccessToken } from "./access-token.ts";
import { type AuthState, readAuthState, toAuthState } from "./auth-state.ts";
import { UNKNOWN_ERROR } from "./failure.ts";
import { type Credentials, createHttp, type Http, HttpError, type HttpOptions } from "./http.ts";

const REFRESH_LOCK = "foyer-token-refresh";

/** Refused by the server, or signed out in another tab. */
export type SessionEnd = "expired" | "elsewhere";

/** How somebody shows that it is them beyond a password; src/ui/identity/identity.ts is one. */
export interface Identity {
  /** @throws the refusal where it isn't for want of a second factor, or the person gave up. */
  proveFactor(http: Pick<Http, "request">, refusal: unknown): Promise<LoginAnswer>;
  signInByPasskey(http: Pick<Http, "request">): Promise<LoginAnswer>;
  /** An access token; undefined where the person gave up. */
  confirmPerson(
    http: Pick<Http, "request">,
    username: string,
    refusal: HttpError,
  ): Promise<string | undefined>;
}

export interface SessionOptions extends HttpOptions {
  /** Loads what asks for a second factor and for confirmations. */
  identity: () => Promise<Identity>;
  /** The session ended without this page asking for it; `text` is the server's, where it says more than that. */
  onSessionEnd?: (why: SessionEnd, text?: string) => void;
  storage?: KeyStorage & { removeAll?: (prefix: string) => void };
  /** Keeps two tabs from spending the same refresh token. Absent outside of secure contexts: the server's grace covers that. */
  locks?: Pick<LockManager, "request"> | undefined;
  /** Where `storage` events of other tabs arrive. */
  events?: Pick<EventTarget, "addEventListener" | "removeEventListener">;
  now?: () => number;
}

/** The signed-in person of this browser, shared by the public root, the admin root and all tabs. */
export interface Session extends Credentials {
  /** What is remembered of the person, perhaps not confirmed yet; the same object until something changes. */
  getAuthState(): AuthState | null;
  updateAuthState(change: Partial<Pick<AuthState, "permissions" | "availableModels">>): void;
  /** Confirms the remembered session with the server. Null when there is none; rejects when the server can't be asked. */
  restore(): Promise<AuthState | null>;
  /** Rejects with HttpError: 401 wrong name or password, 403, 429 too many attempts. */
  signIn(username: string, password: string): Promise<AuthState>;
  /** By passkey alone. Rejects with HttpError, which has a text where the browser gave none. */
  signInByPasskey(): Promise<AuthState>;
  /** Goes on where another call was refused for want of a second factor. Rejects with that refusal where the person gave up. */
  proveFactor(refusal: unknown): Promise<AuthState>;
  /** Takes over a session that another call opened: a verified address, a new password, the owner's set-up. */
  adopt(answer: LoginAnswer): AuthState;
  /** Signs out here and in all tabs at once, forgets what the person left unsaved, then notifies the server. Never rejects. */
  signOut(): Promise<void>;
  /**
   * This page has signed out, and nobody has signed in on it since: the code that did it leads on, and nothing else leads away.
   */
  hasSignedOut(): boolean;
  /** Calls `listener` after each change of `getAuthState()`. */
  subscribe(listener: () => void): () => void;
  /** Stops listening to other tabs. */
  close(): void;
}

/** Only these answers say that the refresh token is worth nothing. A server that is down or busy ends no session. */
function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && [400, 401, 403].includes(error.status);
}

/** It was too old, or nobody used it: the message says for how long. */
const AGES = /^session_(aged|unused)$/;

/** The documented texts of calls whose answer says nothing itself (specification A section 8); screens go by the codes. */
const FALLBACKS = {
  login_failed: "User login failed",
  token_refresh_failed: "JWT token refresh failed",
  user_info_failed: "Failed to fetch user info",
} as const;

async function orFallback<T>(code: keyof typeof FALLBACKS, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    if (!(cause instanceof HttpError) || cause.message !== UNKNOWN_ERROR) throw cause;
    const { status, errors, retryAfterS, answer } = cause;
    throw new HttpError(FALLBACKS[code], code, status, errors, { cause, retryAfterS, answer });
  }
}

export function createSession(options: SessionOptions): Session {
  const { onSessionEnd, now = Date.now, events = globalThis } = options;
  const storage: NonNullable<typeof options.storage> = options.storage ?? createSafeStorage();
  const locks = "locks" in options ? options.locks : globalThis.navigator?.locks;
  const guestHttp = createHttp(options);
  const listeners = new Set<() => void>();
  let access: AccessToken | null = null;
  let state: AuthState | null = readAuthState(storage);
  /** Counts the changes of who is signed in. */
  let turn = 0;
  let hasSignedOut = false;
  let refreshing: Promise<string | null> | null = null;

  const readRefreshToken = () => storage.getItem(REFRESH_TOKEN_KEY) || null;

  function setState(next: AuthState | null) {
    state = next;
    if (next) storage.setItem(AUTH_STATE_KEY, JSON.stringify(next));
    else storage.removeItem(AUTH_STATE_KEY);
    for (const listener of listeners) listener();
  }

  function clear() {
    turn += 1;
    access = null;
    storage.removeItem(REFRESH_TOKEN_KEY);
    setState(null);
  }

  function endElsewhere() {
    clear();
    onSessionEnd?.("elsewhere");
  }

  /** Runs inside the lock: reads the token there, because another tab may have spent the one from before. */
  async function spendRefreshToken(): Promise<string | null> {
    const refresh = readRefreshToken();
    if (!refresh) return null;
    try {
      const path = "/api/auth/token/refresh/";
      const call = { method: "POST", body: { refresh }, schema: refreshAnswer } as const;
      const answer = await orFallback("token_refresh_failed", guestHttp.request(path, call));
      // Signed out, or in as somebody else, while the call was under way: its answer must not undo that.
      if (readRefreshToken() !== refresh) return spendRefreshToken();
      storage.setItem(REFRESH_TOKEN_KEY, answer.refresh ?? refresh);
      access = toAccessToken(answer.access, now());
      return answer.access;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Without locks another tab may have been faster; its token is the one to spend.
      if (readRefreshToken() !== refresh) return spendRefreshToken();
      clear();
      onSessionEnd?.("expired", AGES.test(error.code) ? error.message : undefined);
      return null;
    }
  }

  function refreshOnce(): Promise<string | null> {
    // The callback's promise is what the lock waits for and gives back.
    refreshing ??= (locks ? locks.request(REFRESH_LOCK, spendRefreshToken) : spendRefreshToken()).finally(
      () => {
        refreshing = null;
      },
    );
    return refreshing;
  }

  async function getAccessToken(): Promise<string | null> {
    if (!readRefreshToken()) return null;
    return access && now() < access.renewAtMs ? access.token : refreshOnce();
  }

  async function renewAccessToken(refused: string): Promise<string | null> {
    return access && access.token !== refused ? access.token : refreshOnce();
  }

  const http = createHttp({ ...options, session: { getAccessToken, renewAccessToken } });

  async function restore(): Promise<AuthState | null> {
    if (!readRefreshToken()) {
      if (state) endElsewhere();
      return null;
    }
    const mine = turn;
    if (!(await getAccessToken())) return null;
    const asked = http.request("/api/users/me/", { schema: accountUser });
    const user: AccountUser = await orFallback("user_info_failed", asked);
    // Signed out, or in as somebody else, while the call was under way, here or in a tab whose event has not come yet.
    if (!readRefreshToken() && state) endElsewhere();
    if (mine !== turn) return state;
    setState(toAuthState(user, state, now()));
    return state;
  }

  function adopt({ tokens, user }: LoginAnswer): AuthState {
    turn += 1;
    hasSignedOut = false;
    access = toAccessToken(tokens.access_token, now());
    storage.setItem(REFRESH_TOKEN_KEY, tokens.refresh_token);
    const next = toAuthState(user, null, now());
    setState(next);
    return next;
  }

  async function signIn(username: string, password: string): Promise<AuthState> {
    const call = { method: "POST", body: { username, password }, schema: loginAnswer } as const;
    return orFallback("login_failed", guestHttp.request("/api/users/login/", call)).then(adopt, proveFactor);
  }

  async function enter(by: (identity: Identity) => Promise<LoginAnswer>): Promise<AuthState> {
    return adopt(await by(await options.identity()));
  }

  async function proveFactor(refusal: unknown): Promise<AuthState> {
    if (!(refusal instanceof HttpError) || refusal.code !== "second_factor_required") throw refusal;
    return enter((identity) => identity.proveFactor(guestHttp, refusal));
  }

  async function confirm(refusal: HttpError): Promise<boolean> {
    const token =
      state && (await (await options.identity()).confirmPerson(http, state.user.username, refusal));
    if (token) access = toAccessToken(token, now());
    return Boolean(token);
  }

  async function signOut() {
    hasSignedOut = true;
    const refresh = readRefreshToken();
    const headers = access ? { Authorization: `Bearer ${access.token}` } : {};
    // Where src/admin/views/form/drafts.ts keeps typed things; this file is on public pages, which have no room for more.
    storage.removeAll?.(`foyer_draft:${state?.user.id}:`);
    clear();
    if (!refresh) return;
    try {
      await guestHttp.request("/api/users/logout/", { method: "POST", body: { refresh }, headers });
    } catch (error) {
      // This browser has forgotten the tokens either way; the server's half of the session runs out by itself.
      console.warn("The server could not be notified of signing out.", error);
    }
  }

  function onStorage(event: Event) {
    const key = "key" in event ? event.key : null;
    if (key !== null && key !== REFRESH_TOKEN_KEY && key !== AUTH_STATE_KEY) return;
    if (!readRefreshToken()) {
      if (!state && !access) return;
      endElsewhere();
    } else if (key === AUTH_STATE_KEY) {
      const next = readAuthState(storage);
      if (next?.user.id !== state?.user.id) {
        turn += 1;
        access = null;
      }
      state = next;
      for (const listener of listeners) listener();
    }
  }
  events.addEventListener?.("storage", onStorage);

  return {
    getAccessToken,
    renewAccessToken,
    confirm,
    proveFactor,
    signInByPasskey: () => enter((identity) => identity.signInByPasskey(guestHttp)),
    getAuthState: () => state,
    updateAuthState: (change) => state && setState({ ...state, ...change }),
    restore,
    signIn,
    adopt,
    signOut,
    hasSignedOut: () => hasSignedOut,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => events.removeEventListener?.("storage", onStorage),
  };
}
