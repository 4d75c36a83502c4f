import { setTimeout as sleep } from "node:timers/promises";
import { refreshAnswer } from "#contract/accounts/accounts.ts";
import type { SocketOptions } from "#providers/socket/socket.ts";
import type { Member } from "../people.ts";

/** Renewed at least so often, at whichever process has its turn. */
const RENEW_MS = 8_000;
const RETRY_MS = 100;
/** An answer that doesn't come is asked for again, maybe at another process. */
const ANSWER_MS = 3_000;
const GIVE_UP_MS = 60_000;

/** A signed-in person, as a browser keeps them: tokens are renewed, and only a refusal ends the session. */
export interface KeptSession extends Pick<SocketOptions, "session"> {
  member: Member;
  readonly isSignedOut: boolean;
  readonly renewals: number;
  /** One request with the token of the moment. @throws TypeError where the connection breaks */
  request(method: string, path: string, body?: unknown): Promise<Response>;
  stop(): void;
}

export function keepSession(url: string, member: Member): KeptSession {
  let { token, refresh } = member;
  let isSignedOut = false;
  let renewals = 0;
  let renewing: Promise<void> | undefined;

  async function tryToRenew(): Promise<void> {
    const end = performance.now() + GIVE_UP_MS;
    while (!isSignedOut) {
      const answer = await fetch(`${url}/api/users/refresh/`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ refresh }),
        signal: AbortSignal.timeout(ANSWER_MS),
      }).catch(() => undefined);
      if (answer?.ok) {
        const body = await answer.json().catch(() => undefined);
        if (body) {
          const next = refreshAnswer.parse(body);
          token = next.access;
          refresh = next.refresh ?? refresh;
          renewals += 1;
          return;
        }
      } else if (answer?.status === 401) {
        isSignedOut = true;
        console.log(`signed out: ${await answer.text().catch(String)}`);
      }
      if (performance.now() > end) throw new Error("a session could not be renewed for a minute");
      await sleep(RETRY_MS);
    }
  }

  function renew(): Promise<void> {
    renewing ??= tryToRenew().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  const timer = setInterval(() => void renew(), RENEW_MS);
  const state = { user: { id: member.userId } } as ReturnType<SocketOptions["session"]["getAuthState"]>; // all that is asked for
  return {
    member,
    get isSignedOut() {
      return isSignedOut;
    },
    get renewals() {
      return renewals;
    },
    session: {
      getAccessToken: async () => (isSignedOut ? null : token),
      async renewAccessToken(refused) {
        if (refused === token) await renew();
        return isSignedOut ? null : token;
      },
      getAuthState: () => state,
      subscribe: () => () => true,
    },
    async request(method, path, body) {
      const ask = () =>
        fetch(url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      const answer = await ask();
      if (answer.status !== 401) return answer;
      await answer.arrayBuffer();
      await renew();
      return ask();
    },
    stop: () => clearInterval(timer),
  };
}
