import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import type { Person } from "#test/e2e/site.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Whoever uses the site, by its address: a browser, as far as requests go. */
export interface Caller {
  /** Whatever the answer is. */
  ask(path: string, options?: { method?: string; body?: unknown; token?: string }): Promise<Answer>;
  /** A page or an answer that has to be there. @throws Error with what came instead */
  get(path: string, token?: string): Promise<string>;
  /** @returns the answer's JSON. @throws Error where it isn't a success */
  send(method: string, path: string, body: unknown, token?: string): Promise<unknown>;
  /** @returns an access token */
  logIn(person: Person): Promise<string>;
}

/** @param ca Certificates that are trusted. Every name leads to this machine: there is no DNS for a domain that nobody has. */
export function createCaller(address: string, ca?: Buffer): Caller {
  const ask: Caller["ask"] = async (path, { method = "GET", body, token } = {}) => {
    const url = new URL(path, address);
    const options = {
      method,
      agent: false,
      hostname: "127.0.0.1",
      servername: url.hostname,
      ...(ca && { ca }),
      headers: {
        Host: url.host,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json", Origin: url.origin }),
      },
    } as const;
    return new Promise((resolve, reject) => {
      const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options, (response) => {
        const { statusCode = 0, headers } = response;
        text(response).then((content) => resolve({ status: statusCode, headers, text: content }), reject);
      });
      request.once("error", reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  };
  const send: Caller["send"] = async (method, path, body, token) => {
    const answer = await ask(path, { method, body, ...(token && { token }) });
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.text === "" ? undefined : JSON.parse(answer.text);
  };
  return {
    ask,
    send,
    async get(path, token) {
      const answer = await ask(path, token ? { token } : {});
      if (answer.status !== 200)
        throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`);
      return answer.text;
    },
    async logIn({ username, password }) {
      return loginAnswer.parse(await send("POST", "/api/users/login/", { username, password })).tokens
        .access_token;
    },
  };
}
