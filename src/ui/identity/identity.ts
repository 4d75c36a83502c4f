import { startAuthentication } from "@simplewebauthn/browser";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import * as z from "zod/mini";
import { type LoginAnswer, loginAnswer } from "#contract/accounts/accounts.ts";
import {
  confirmAnswer,
  confirmOptions,
  factorNeeded,
  type PasskeyOptionsAnswer,
  passkeyOptionsAnswer,
  secondFactorAsked,
} from "#contract/accounts/second-factor.ts";
import { toLanguage } from "#contract/languages.ts";
import en from "#locales/en/identity.json" with { type: "json" };
import tr from "#locales/tr/identity.json" with { type: "json" };
import { type Http, HttpError } from "#providers/http/http.ts";
import { IdentityDialog, type IdentityTexts, isHttpError, type TypedProof } from "./identity-dialog.tsx";

/*
 * How somebody shows that it is them, wherever they are: on the public pages and in the console, over whatever is open. Loaded
 * when it is asked for the first time.
 */

type Caller = Pick<Http, "request">;
type DialogProps = Parameters<typeof IdentityDialog>[0];

const getLanguage = () => toLanguage(document.documentElement.lang);
const getTexts = (): IdentityTexts => (getLanguage() === "tr" ? tr : en);

/** No proof counts any more: only a new log-in helps, which whoever has asked for the dialog must say. */
const isOver = (error: unknown) => isHttpError(error) && error.code === "second_factor_over";

/**
 * Shows the dialog until `prove` went well, which it then answers; undefined where the person gave up.
 * @throws HttpError second_factor_over.
 */
async function ask<Answer>(
  build: (texts: IdentityTexts) => Omit<DialogProps, "texts" | "onPasskey" | "onTyped" | "onCancel">,
  prove: { passkey: (() => Promise<Answer>) | undefined; typed: (value: string) => Promise<Answer> },
): Promise<Answer | undefined> {
  const texts = getTexts();
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  const { passkey, typed } = prove;
  try {
    return await new Promise<Answer | undefined>((resolve, reject) => {
      const settle = async (proving: Promise<Answer>) => {
        try {
          resolve(await proving);
        } catch (error) {
          if (!isOver(error)) throw error;
          reject(error);
        }
      };
      const props: DialogProps = {
        ...build(texts),
        texts,
        onPasskey: passkey && (() => settle(passkey())),
        onTyped: (value) => settle(typed(value)),
        onCancel: () => resolve(undefined),
      };
      root.render(createElement(IdentityDialog, props));
    });
  } finally {
    root.unmount();
    place.remove();
  }
}

type Options = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** The browser's own question for a passkey. @throws Error by names that WebAuthn gives. */
const getPasskey = (options: unknown) => startAuthentication({ optionsJSON: options as Options }); // the server's library made them for this one

const askedAnswer = z.object({ second_factor: secondFactorAsked });

interface Codes {
  has_app: boolean;
  has_recovery_codes: boolean;
}

/** The codes that somebody can type. */
function toTypedCodes(factor: IdentityTexts["factor"], { has_app, has_recovery_codes }: Codes): TypedProof[] {
  const app: TypedProof = {
    label: factor.app,
    type: "text",
    autoComplete: "one-time-code",
    isNumeric: true,
    switchTo: factor.useApp,
  };
  const recovery: TypedProof = {
    label: factor.recovery,
    hint: factor.recoveryHint,
    type: "text",
    autoComplete: "off",
    switchTo: factor.useRecovery,
  };
  return [...(has_app ? [app] : []), ...(has_recovery_codes ? [recovery] : [])];
}

/** Where to turn for who has nothing of it any more. */
function toLost(factor: IdentityTexts["factor"], { has_recovery_codes }: Codes) {
  const text = has_recovery_codes ? factor.lost : factor.lostOnly;
  return { text, link: factor.contact, href: `/${getLanguage()}/contact` };
}

/**
 * The second half of a log-in that was refused for want of it.
 * @throws the refusal itself where it is another one; where the person gave up or it is over, HttpError that says what to do.
 */
export async function proveFactor(http: Caller, refusal: unknown): Promise<LoginAnswer> {
  const read = isHttpError(refusal) ? askedAnswer.safeParse(refusal.answer) : undefined;
  if (!read?.success) throw refusal;
  const { ticket, passkey_options } = read.data.second_factor;
  const send = (proof: object) =>
    http.request("/api/users/login/second-factor/", {
      method: "POST",
      body: { ticket, ...proof },
      schema: loginAnswer,
    });
  const answer = await ask(
    ({ factor }) => ({
      title: factor.title,
      lead: factor.lead,
      submitLabel: factor.submit,
      typed: toTypedCodes(factor, read.data.second_factor),
      lost: toLost(factor, read.data.second_factor),
    }),
    {
      passkey: passkey_options ? async () => send({ passkey: await getPasskey(passkey_options) }) : undefined,
      typed: (code) => send({ code }),
    },
  );
  if (answer) return answer;
  const { code, status } = refusal as HttpError; // it was read above
  throw new HttpError(getTexts().factor.givenUp, code, status, [], { cause: refusal });
}

/** A log-in by passkey alone. @throws HttpError, or the browser's error as one with a text for the person. */
export async function signInByPasskey(http: Caller): Promise<LoginAnswer> {
  const path = "/api/users/login/passkey/";
  const { options, ticket } = await http.request(`${path}options/`, {
    method: "POST",
    schema: passkeyOptionsAnswer,
  });
  const passkey = await getPasskey(options).catch((cause: unknown) => {
    const isCancelled = cause instanceof Error && cause.name === "NotAllowedError";
    const texts = getTexts();
    throw new HttpError(isCancelled ? texts.notUsed : texts.unsupported, "passkey_not_used", 400, [], {
      cause,
    });
  });
  return http.request(path, { method: "POST", body: { ticket, passkey }, schema: loginAnswer });
}

/** By whether a second factor is asked for: one question each, however many calls wait for it. */
const confirming = new Map<boolean, Promise<string | undefined>>();

/**
 * Asks a signed-in person to show again that it is them, by one of their factors where the refusal says so.
 * @returns a new access token; undefined where they gave up.
 */
export function confirmPerson(
  http: Caller,
  username: string,
  refusal: HttpError,
): Promise<string | undefined> {
  const needsFactor = factorNeeded.safeParse(refusal.answer).success;
  const asked =
    confirming.get(needsFactor) ??
    askAgain(http, username, needsFactor).finally(() => confirming.delete(needsFactor));
  confirming.set(needsFactor, asked);
  return asked;
}

async function askAgain(http: Caller, username: string, needsFactor: boolean): Promise<string | undefined> {
  const path = "/api/users/confirm/";
  const askOptions = () => http.request(`${path}options/`, { method: "POST", schema: confirmOptions });
  const asked = await askOptions();
  const send = async (proof: object) =>
    (await http.request(path, { method: "POST", body: proof, schema: confirmAnswer })).access;
  let ready: PasskeyOptionsAnswer | null = asked.passkey;
  const byPasskey = async () => {
    // What an attempt was made with may be used or too old: the next one asks for its own.
    const fresh = ready ?? (await askOptions()).passkey;
    ready = null;
    if (!fresh) throw new Error("There is no passkey any more.");
    return send({ ticket: fresh.ticket, passkey: await getPasskey(fresh.options) });
  };
  return ask(
    ({ person, factor }) =>
      needsFactor
        ? {
            title: person.title,
            lead: person.factorLead,
            submitLabel: person.submit,
            typed: toTypedCodes(factor, asked),
            lost: toLost(factor, asked),
          }
        : {
            title: person.title,
            lead: person.lead,
            submitLabel: person.submit,
            username,
            typed: [{ label: person.password, type: "password", autoComplete: "current-password" }],
          },
    {
      passkey: asked.passkey ? byPasskey : undefined,
      typed: (value) => send(needsFactor ? { code: value } : { password: value }),
    },
  );
}
