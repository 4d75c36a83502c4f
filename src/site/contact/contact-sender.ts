import {
  CONTACT_TRAP,
  type ContactAnswer,
  type ContactValues,
  contactAnswer,
  contactChallenge,
} from "#contract/site/contact.ts";
import { createHttp, type Http, HttpError } from "#providers/http/http.ts";
import { solve } from "./proof-of-work.ts";

/** A challenge that was worked off, and when it is good by this page's clock. Null where a back end asks for none. */
type Proof = { challenge: string; solution: string; goodFrom: number; goodUntil: number } | null;

/** Clocks of browser and server may differ by so much while a challenge lives. */
const CLOCK_MARGIN_MS = 100;
/** After a challenge that could not be got, touches ask for none for so long; sending always does. */
const RETRY_MS = 10_000;
/** A message needs some time to arrive. */
const ARRIVAL_MARGIN_MS = 15_000;

/** Sends messages, and does beforehand what the server wants done for each. */
export interface ContactSender {
  /** Starts to get a challenge and to work it off, unless that is under way or done: the form was touched. */
  prepare(): void;
  /**
   * Sends checked values. `trap` is what stands in the field that people don't see. Waits for the work, and for the time
   * before which the server takes nothing. What was sent without an answer may be sent again: it is stored once.
   * @throws HttpError
   */
  send(values: ContactValues, trap: string): Promise<ContactAnswer>;
}

export interface ContactSenderDeps {
  http: Pick<Http, "request">;
  work?: typeof solve;
  /** Milliseconds; only differences count. */
  clock?: () => number;
  sleep?: (ms: number) => Promise<void>;
}

const isNotFound = (error: unknown) => error instanceof HttpError && error.status === 404;
/** The server refused the proof, not the message: another proof may do. */
const isProofRefused = (error: unknown) =>
  error instanceof HttpError && /^contact_(challenge_|too_fast)/.test(error.code);
/** Nobody knows whether the message arrived. */
const isUnanswered = (error: unknown) => !(error instanceof HttpError) || error.status >= 500;

export function createContactSender(deps: ContactSenderDeps): ContactSender {
  const { http, work = solve, clock = () => performance.now() } = deps;
  const { sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = deps;
  let proof: Promise<Proof> | null = null;
  let quietUntil = 0;
  let unanswered: { content: string; proof: Proof } | null = null;

  async function obtain(): Promise<Proof> {
    try {
      const challenge = await http.request("/api/contact/challenge/", { schema: contactChallenge });
      const goodFrom = clock() + challenge.wait_ms + CLOCK_MARGIN_MS;
      const goodUntil = clock() + challenge.lifetime_ms - ARRIVAL_MARGIN_MS;
      return { challenge: challenge.challenge, solution: await work(challenge), goodFrom, goodUntil };
    } catch (error) {
      if (isNotFound(error)) return null;
      proof = null;
      quietUntil = clock() + RETRY_MS;
      throw error;
    }
  }

  async function getProof(): Promise<Proof> {
    proof ??= obtain();
    const current = await proof;
    if (!current || clock() < current.goodUntil) return current;
    proof = obtain();
    return proof;
  }

  async function attempt(values: ContactValues, trap: string): Promise<ContactAnswer> {
    const content = JSON.stringify(values);
    const current = unanswered?.content === content ? unanswered.proof : await getProof();
    if (current) await sleep(Math.max(0, current.goodFrom - clock()));
    const { challenge, solution } = current ?? {};
    try {
      const body = { ...values, [CONTACT_TRAP]: trap, challenge, solution };
      const answer = await http.request("/api/contact/", { method: "POST", body, schema: contactAnswer });
      if (answer.success) proof = null;
      unanswered = null;
      return answer;
    } catch (error) {
      unanswered = isUnanswered(error) ? { content, proof: current } : null;
      if (isProofRefused(error)) proof = null;
      throw error;
    }
  }

  return {
    prepare() {
      if (clock() < quietUntil) return;
      getProof().catch(() => {
        // Nobody has sent anything yet. Sending tries again, and says what is wrong.
      });
    },
    send: (values, trap) =>
      attempt(values, trap).catch((error: unknown) => {
        if (isProofRefused(error)) return attempt(values, trap);
        throw error;
      }),
  };
}

let sender: ContactSender | undefined;

/** The sender of this document, made at the first touch of a form; the server draws without one. */
export function getBrowserSender(): ContactSender {
  sender ??= createContactSender({
    http: createHttp({ getLanguage: () => document.documentElement.lang }),
  });
  return sender;
}
