import type { Page } from "playwright-core";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import { AUTH_STATE_KEY, REFRESH_TOKEN_KEY } from "#providers/browser-storage.ts";
import { toAuthState } from "#providers/http/auth-state.ts";
import { OWNER, type Person } from "./site.ts";

/** What the log-in page keeps of the API's answer, by the storage's keys; and an access token, for calls without a screen. */
export function readSession(answer: unknown): { kept: [string, string][]; token: string } {
  const { user, tokens } = loginAnswer.parse(answer);
  const state = JSON.stringify(toAuthState(user, null, Date.now()));
  return {
    kept: [
      [REFRESH_TOKEN_KEY, tokens.refresh_token],
      [AUTH_STATE_KEY, state],
    ],
    token: tokens.access_token,
  };
}

/**
 * Signs somebody in without the log-in page: a session of their own by the API, kept where that page keeps it. Each test has
 * its own, because a refresh token is spent by every document that is opened with it.
 * @returns an access token of the session.
 */
export async function signIn(page: Page, url: string, person: Person = OWNER): Promise<string> {
  const { username, password } = person;
  const answer = await page.request.post(`${url}/api/users/login/`, { data: { username, password } });
  if (!answer.ok()) throw new Error(`${username} is not let in: ${answer.status()} ${await answer.text()}`);
  const { kept, token } = readSession(await answer.json());
  // The storage belongs to the site's address: an empty document there is enough to write it.
  const empty = `${url}/empty-document-of-a-test`;
  await page.route(empty, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await page.goto(empty);
  await page.evaluate((entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, kept);
  await page.unroute(empty);
  return token;
}

/** Signs somebody in and opens an address of the console. */
export async function openConsole(page: Page, url: string, path: string, person = OWNER): Promise<void> {
  await signIn(page, url, person);
  await page.goto(url + path);
}
