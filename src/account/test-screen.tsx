import { jest } from "@jest/globals";
import { act, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { MemoryRouter } from "react-router";
import type { LoginAnswer } from "#contract/accounts/accounts.ts";
import type { PageData } from "#contract/site/pages.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError, type Parser, type RequestOptions } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-en.ts";
import { PublicApp, toPage } from "../ui/site-layout.tsx";
import { AccountArea } from "./account-area.tsx";
import type { AccountServices } from "./account-services.ts";
import { texts as accountTexts } from "./account-texts-en.ts";

/** What a session-opening call answers for a person of this level. */
export function toSession(access_level = 1): LoginAnswer {
  return { tokens: { access_token: "a", refresh_token: "r" }, user: toAccountUser({ access_level }) };
}

const toState = ({ user }: LoginAnswer) => ({ user }) as AuthState; // what the screens read of it

/** Answers of a back end by path; a function may look at what was sent, an error is thrown. */
type Answer = unknown | ((body: unknown) => unknown);

/**
 * The browser's part of a screen: `answers` says what each call gives, `calls` what was asked, `signedIn` who is signed in.
 * Answers are read by the screens' own schemas, as the real client does.
 */
export function createServices(answers: Record<string, Answer>, signedIn: AuthState | null = null) {
  const calls: { path: string; body: unknown }[] = [];
  let person = signedIn;
  async function request(path: string, { body, schema }: RequestOptions & { schema?: Parser<unknown> } = {}) {
    calls.push({ path, body });
    if (!(path in answers)) throw new HttpError("Not found", "not_found", 404);
    const answer = answers[path];
    const value: unknown = typeof answer === "function" ? await answer(body) : answer;
    if (value instanceof Error) throw value;
    return schema?.parse(value);
  }
  const adopt = jest.fn((answer: LoginAnswer) => {
    person = toState(answer);
    return person;
  });
  const proveFactor = jest.fn<Session["proveFactor"]>((refusal) => Promise.reject(refusal));
  const session = {
    restore: async () => person,
    getAuthState: () => person,
    adopt,
    proveFactor,
  } as unknown as Session;
  const [goTo, open, goBack] = [1, 2, 3].map(() => jest.fn<(address: string) => void>());
  const services: AccountServices = {
    getSession: () => session,
    getHttp: () => ({ request }) as unknown as ReturnType<AccountServices["getHttp"]>,
    goTo: (address) => goTo?.(address),
    open: (address) => open?.(address),
    goBack: (address) => goBack?.(address),
  };
  const setPerson = (next: AuthState | null) => {
    person = next;
  };
  return { services, calls, adopt, proveFactor, goTo, open, goBack, answers, setPerson };
}

/** Draws a screen of the account as the public app does. */
export function openScreen(screen: ReactElement, name: PageData["screen"], query = "", site = SITE_INFO) {
  const request = toRequest(name, { site });
  render(
    <MemoryRouter initialEntries={[`${request.path}${query}`]}>
      <PublicApp
        page={toPage(request, texts)}
        screen={<AccountArea texts={accountTexts}>{screen}</AccountArea>}
      />
    </MemoryRouter>,
  );
  // Without pauses between keys, which would wait for clocks that a test has stopped.
  return setUpDrawnUser({ delay: null });
}

/** The clock of the machine, also while a test has stopped the one of the page. */
const { setTimeout: setRealTimeout } = globalThis;

/** Lets answers arrive and be drawn. */
export async function settle(): Promise<void> {
  await act(() => new Promise<void>((resolve) => setRealTimeout(resolve, 5)));
}
