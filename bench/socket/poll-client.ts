import { type Agent, request } from "node:http";
import * as z from "zod/mini";

/** What every call of the long poll answers in its body. */
const pollAnswer = z.object({
  status: z.number(),
  token: z.optional(z.string()),
  messages: z.optional(z.array(z.string())),
});
export type PollAnswer = z.infer<typeof pollAnswer> & { httpStatus: number };

export interface PollCall {
  port: number;
  localAddress: string;
  agent: Agent;
  method: string;
  /** Of the session. */
  token?: string | undefined;
  accessToken?: string;
  contentType?: string;
  body?: Buffer;
}

/** One call. @throws Error when the answer is no JSON of the long poll */
export function callPoll(call: PollCall): Promise<PollAnswer> {
  const { port, localAddress, agent, method, token, accessToken, body } = call;
  const query = token === undefined ? "vsn=2.0.0" : `vsn=2.0.0&token=${encodeURIComponent(token)}`;
  const headers = {
    ...(accessToken !== undefined && { "x-phoenix-authtoken": accessToken }),
    ...(body && {
      "content-type": call.contentType ?? "application/x-ndjson",
      "content-length": String(body.length),
    }),
  };
  const path = `/socket/longpoll?${query}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, localAddress, agent, method, path, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString();
          try {
            resolve({ ...pollAnswer.parse(JSON.parse(text)), httpStatus: response.statusCode ?? 0 });
          } catch {
            reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`));
          }
        });
        response.once("error", reject);
      },
    );
    sent.once("error", reject);
    sent.end(body);
  });
}

/** A client of the long poll that keeps to the protocol: one poll and one post at a time. */
export class PollClient {
  readonly #call: Pick<PollCall, "port" | "localAddress" | "agent">;
  readonly #onText: (text: string) => void;
  readonly #token: string;
  #unsent: string[] = [];
  #isPosting = false;
  #isClosed = false;

  constructor(
    call: Pick<PollCall, "port" | "localAddress" | "agent">,
    token: string,
    onText: (text: string) => void,
  ) {
    this.#call = call;
    this.#token = token;
    this.#onText = onText;
    void this.#poll();
  }

  async #poll(): Promise<void> {
    while (!this.#isClosed) {
      const poll = callPoll({ ...this.#call, method: "GET", token: this.#token });
      // The last poll is cut with its agent.
      const answer = await poll.catch((error: unknown) => {
        if (!this.#isClosed) throw error;
      });
      if (!answer) return;
      const { status, messages = [] } = answer;
      if (status !== 200 && status !== 204 && !this.#isClosed)
        throw new Error(`a poll was answered ${status}`);
      for (const text of messages) this.#onText(text);
    }
  }

  send(text: string): void {
    this.#unsent.push(text);
    if (!this.#isPosting) void this.#post();
  }

  async #post(): Promise<void> {
    this.#isPosting = true;
    while (this.#unsent.length > 0) {
      const body = Buffer.from(this.#unsent.splice(0, 100).join("\n"));
      const { status } = await callPoll({ ...this.#call, method: "POST", token: this.#token, body });
      if (status !== 200) throw new Error(`a post was answered ${status}`);
    }
    this.#isPosting = false;
  }

  /** Polls no more; the server ends the session in its time. */
  close(): void {
    this.#isClosed = true;
  }
}

/** A new session. @throws Error when it is refused */
export async function openPollSession(
  call: Pick<PollCall, "port" | "localAddress" | "agent"> & { accessToken: string },
): Promise<string> {
  const { status, token } = await callPoll({ ...call, method: "GET" });
  if (status !== 410 || token === undefined) throw new Error(`a new session was answered ${status}`);
  return token;
}
