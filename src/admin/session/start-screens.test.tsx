import { NO_IDENTITY } from "#test/no-identity.ts";
import "#test/browser-globals.ts";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { AUTH_STATE_KEY, REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import { createHttp } from "#providers/http/http.ts";
import { createSession } from "#providers/http/session.ts";
import { createI18n } from "#providers/i18n.ts";
import { toAccountUser } from "#test/account-user.ts";
import { AppFrame } from "../app.tsx";
import { fillInBrowser, TOKENS_FALLBACK } from "../test-admin.tsx";
import { createStarter, readStart, type Start } from "./start.ts";
import { FactorOwed, StartFailed } from "./start-screens.tsx";

const PERMISSIONS = "/api/admin/permissions/";
const USER = toAccountUser({ access_level: 999 });
const NOTHING_PERMITTED = { access_level: 999, is_superuser: true, models: [] };

type Answer = () => Promise<Response>;

const answer =
  (status: number, text: string): Answer =>
  async () =>
    ({
      ok: status < 300,
      status,
      headers: { get: () => null },
      text: async () => text,
    }) as unknown as Response;

const drop: Answer = () => Promise.reject(new TypeError("Failed to fetch"));
const permitted = answer(200, JSON.stringify(NOTHING_PERMITTED));

beforeEach(() => void jest.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

/** The start of the console over a server whose permissions call answers as the test says, one after the other. */
async function start(answers: Answer[], lang: "en" | "tr" = "en") {
  fillInBrowser();
  const kept = new Map([
    [REFRESH_TOKEN_KEY, "r1"],
    [
      AUTH_STATE_KEY,
      JSON.stringify({
        user: USER,
        profile: USER.profile,
        permissions: [],
        availableModels: [],
        lastActivity: 1,
      }),
    ],
  ]);
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const calls: string[] = [];
  const callFetch = (async (url: unknown) => {
    const path = new URL(String(url)).pathname;
    calls.push(path);
    if (path === PERMISSIONS) return (answers.shift() ?? drop)();
    if (path === "/api/users/me/") return answer(200, JSON.stringify(USER))();
    if (path === "/api/auth/token/refresh/") {
      const claims = btoa(JSON.stringify({ iat: Date.now() / 1000, exp: Date.now() / 1000 + 900 }));
      return answer(200, JSON.stringify({ access: `h.${claims}.s`, refresh: "r2" }))();
    }
    return answer(200, "null")();
  }) as typeof fetch;
  const options = { baseUrl: "https://x.test", getLanguage: () => lang, fetch: callFetch };
  const session = createSession({ ...NO_IDENTITY, ...options, storage, locks: undefined });
  const http = createHttp({ ...options, session });
  const opened: Start[] = [];
  const i18n = createI18n(lang);
  const view = render(<div />);
  const run = createStarter({
    read: () => readStart(session, http),
    open: (start) => void opened.push(start),
    fail: (error, onRetry) =>
      view.rerender(
        <AppFrame session={session} i18n={i18n} tokens={TOKENS_FALLBACK} nonce={undefined}>
          <StartFailed error={error} onRetry={onRetry} onLogOut={session.signOut} />
        </AppFrame>,
      ),
  });
  await act(run);
  return { opened, kept, run, asked: () => calls.filter((path) => path === PERMISSIONS).length };
}

test.each([
  [
    "500 with the documented body",
    answer(500, '{"message":"An error occurred. Please try again."}'),
    /An error occurred/,
  ],
  ["503 of a proxy", answer(503, "<html>Service unavailable</html>"), /An error occurred/],
  ["rubbish", answer(200, "<html>"), /An error occurred/],
  ["another shape", answer(200, '{"models":7}'), /An error occurred/],
  ["a dropped connection", drop, /The server could not be reached/],
])(
  "%s in place of the permissions is shown on a screen of its own, and Retry asks again",
  async (_, first, text) => {
    const user = userEvent.setup();
    const { opened, asked } = await start([first, first, permitted]);
    expect(screen.getByRole("heading", { name: "The Admin Panel could not be opened" })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toMatch(text);
    const alert = screen.getByRole("alert");

    await user.click(screen.getByRole("button", { name: "Retry" }));
    // The same words once more are a new element, else no screen reader would say them.
    await waitFor(() => expect(screen.getByRole("alert")).not.toBe(alert));
    expect(opened).toEqual([]);
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    await waitFor(() => expect(opened).toMatchObject([{ kind: "staff", user: { id: USER.id } }]));
    expect(asked()).toBe(3);
  },
);

test("a double click on Retry asks once", async () => {
  const user = userEvent.setup();
  const { opened, asked } = await start([drop, permitted]);
  await user.dblClick(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(opened).toHaveLength(1));
  expect(asked()).toBe(2);
});

test("it speaks Turkish, and logs out without a server", async () => {
  const user = userEvent.setup();
  const { kept } = await start([drop], "tr");
  expect(screen.getByRole("heading", { name: "Konsol açılamadı" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Çıkış yap" }));
  await waitFor(() => expect([...kept.keys()]).toEqual([]));
});

test("whose time to set a second factor up is over is no staff for now, whatever the clock here says", async () => {
  const due = answer(403, '{"code":"second_factor_due","message":"Set one up"}');
  const { opened } = await start([due]);
  expect(opened).toMatchObject([{ kind: "owing", user: { id: USER.id } }]);
});

test.each([
  ["en", "Set up a second factor first", "Set up a second factor", "Log out"],
  ["tr", "Önce ikinci doğrulamayı kurun", "İkinci doğrulamayı kur", "Çıkış yap"],
] as const)("a screen says what they do (%s): set one up, or log out", async (lang, title, link, out) => {
  fillInBrowser();
  const session = createSession({
    ...NO_IDENTITY,
    getLanguage: () => lang,
    storage: { getItem: () => null, setItem() {}, removeItem() {} },
    locks: undefined,
  });
  const onLogOut = jest.fn(async () => {});
  render(
    <AppFrame session={session} i18n={createI18n(lang)} tokens={TOKENS_FALLBACK} nonce={undefined}>
      <FactorOwed onLogOut={onLogOut} />
    </AppFrame>,
  );
  expect(screen.getByRole("heading", { name: title })).toBeTruthy();
  expect(document.title).toContain(title);
  expect(screen.getByRole("link", { name: link }).getAttribute("href")).toBe(`/${lang}/profile?tab=security`);
  await userEvent.click(screen.getByRole("button", { name: out }));
  expect(onLogOut).toHaveBeenCalledTimes(1);
});

test.each([401, 403, 404])(
  "a back end without that call (%i) is no failure: the account's level counts",
  async (status) => {
    const { opened } = await start([answer(status, "{}"), answer(status, "{}")]);
    expect(opened).toMatchObject([{ kind: "staff" }]);
  },
);
