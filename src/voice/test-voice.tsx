import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { MemoryRouter, useLocation } from "react-router";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { toAuthState } from "#providers/http/auth-state.ts";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { type Http, HttpError, type Parser, type RequestOptions } from "#providers/http/http.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { toRequest } from "../head/test-request.ts";
import { texts as en } from "../public-texts-en.ts";
import { texts as tr } from "../public-texts-tr.ts";
import { PublicApp, toPage } from "../ui/site-layout.tsx";
import { texts as callEn } from "./call-texts-en.ts";
import { texts as callTr } from "./call-texts-tr.ts";
import { createTestSocket } from "./test-socket.ts";
import { type VoiceServices, VoiceServicesContext, VoiceTextProvider } from "./voice-context.tsx";

const TEXTS = { en: { page: en, voice: callEn }, tr: { page: tr, voice: callTr } };

/** The back end by `METHOD /path`: what it answers, or throws. */
export type Answers = Record<string, (body: unknown) => unknown>;

/** A failure of which the server says nothing. */
export const toWordlessError = () => new HttpError(UNKNOWN_ERROR, "unknown", 500);

/** Keys that stand in the page in place of their texts, and slots that nobody filled. */
export const listBareKeys = (): string[] =>
  document.body.innerHTML.match(/\b(?:voice|call|session|site|contact):[a-z]+\.\w+|\{\{\w+\}\}/g) ?? [];

function createTestHttp(answers: Answers) {
  const calls: { route: string; body: unknown }[] = [];
  async function request(
    path: string,
    { method = "GET", body, schema }: RequestOptions & { schema?: Parser<unknown> } = {},
  ) {
    const route = `${method} ${path}`;
    calls.push({ route, body });
    const answer = answers[route];
    if (!answer) throw new HttpError("Not found", "not_found", 404);
    const value = await answer(body);
    return schema?.parse(value);
  }
  // All that the voice screens call.
  return { http: { request } as unknown as Http, calls };
}

function Address({ onAddress }: { onAddress: (address: string) => void }) {
  onAddress(useLocation().pathname);
  return null;
}

export interface VoiceSetup extends Partial<Pick<VoiceServices, "hold" | "signInAgain">> {
  answers?: Answers;
  lang?: Language;
  path?: string;
  /** Who is signed in: number 1, of level 5, unless given. */
  person?: Partial<AccountUser>;
  profile?: Partial<AccountUser["profile"]>;
}

/** Draws a voice screen, or a part of one, for a signed-in person over a back end and a socket of the test's own. */
export function openVoice(screen: ReactElement, setup: VoiceSetup = {}) {
  const { answers = {}, lang = "en", path = "/rooms" } = setup;
  // jsdom has no modal dialogs, and nothing that scrolls.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  Element.prototype.scrollIntoView ??= () => undefined;
  const { http, calls } = createTestHttp(answers);
  const socket = createTestSocket();
  const user = toAccountUser({ access_level: 5, ...setup.person }, setup.profile);
  const auth = toAuthState(user, null, 0);
  const session = { getAuthState: () => auth, subscribe: () => () => undefined };
  const services = {
    ...{ http, socket: socket.socket, session },
    hold: setup.hold ?? (() => () => undefined),
    signInAgain: setup.signInAgain ?? (async () => false),
  } satisfies VoiceServices;
  const texts = TEXTS[lang];
  let address = "";
  const toApp = (content: ReactElement) => (
    <MemoryRouter initialEntries={[path]}>
      <PublicApp
        page={toPage(toRequest("rooms", { lang }), texts.page)}
        screen={
          <VoiceServicesContext value={services}>
            <VoiceTextProvider texts={texts.voice}>
              {content}
              <Address
                onAddress={(now) => {
                  address = now;
                }}
              />
            </VoiceTextProvider>
          </VoiceServicesContext>
        }
      />
    </MemoryRouter>
  );
  const { unmount, rerender } = render(toApp(screen));
  return {
    unmount,
    /** The same page with its screen in another state. */
    redraw: (content: ReactElement) => rerender(toApp(content)),
    calls,
    socket,
    /** Bodies of the calls of a route. */
    listBodies: (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body),
    getAddress: () => address,
    // Without pauses between keys, which would wait for clocks that a test has stopped.
    user: setUpDrawnUser({ delay: null }),
  };
}
