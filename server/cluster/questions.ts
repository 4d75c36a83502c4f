import { getRequestId, runForRequest } from "../base/actor.ts";

/** Asked of a process that is gone, or that didn't answer in time. */
export class ProcessGoneError extends Error {
  override name = "ProcessGoneError";
}

export type Answerer = (body: unknown, from: string) => Promise<unknown>;

interface Question {
  id: number;
  kind: string;
  value: unknown;
  /** The number of the request that it is asked for. */
  request: string | undefined;
}

interface QuestionDeps {
  send(to: string, kind: "ask" | "answer", body: unknown): void;
  log: { warn(details: object, message: string): void };
}

const ANSWER_MS = 3_000;

/** What processes ask each other: messages there and back. */
export interface Questions {
  ask(to: string, kind: string, value: unknown, timeoutMs?: number): Promise<unknown>;
  answer(kind: string, answerer: Answerer): void;
  /** A question of another process has come. */
  reply(from: string, body: unknown): Promise<void>;
  /** The answer to one of this process's has come. */
  settle(body: unknown): void;
  /** Whoever was asked there is gone. */
  fail(address: string): void;
}

export function createQuestions({ send, log }: QuestionDeps): Questions {
  const answerers = new Map<string, Answerer>();
  const asked = new Map<number, { to: string; resolve(body: unknown): void; reject(error: Error): void }>();
  let nextAsk = 0;
  return {
    ask(to, kind, value, timeoutMs = ANSWER_MS) {
      const id = nextAsk++;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      asked.set(id, { to, resolve, reject });
      const timer = setTimeout(() => {
        asked.delete(id);
        reject(new ProcessGoneError(`${to} didn't answer in ${timeoutMs} ms`));
      }, timeoutMs).unref();
      send(to, "ask", { id, kind, value, request: getRequestId() } satisfies Question);
      return promise.finally(() => clearTimeout(timer));
    },
    answer: (kind, answerer) => void answerers.set(kind, answerer),
    async reply(from, body) {
      // What isn't of our making says nothing: no answer is known by that number there.
      const { id, kind, value, request } = (body ?? {}) as Partial<Question>;
      const answer = async () => {
        try {
          send(from, "answer", { id, value: await answerers.get(kind ?? "")?.(value, from) });
        } catch (error) {
          log.warn({ err: error, kind }, "a question of another process could not be answered");
          send(from, "answer", { id, isFault: true });
        }
      };
      await runForRequest(request, answer, true);
    },
    settle(body) {
      const { id, value, isFault } = body as { id: number; value: unknown; isFault: boolean }; // see `reply`
      const question = asked.get(id);
      asked.delete(id);
      if (isFault) question?.reject(new ProcessGoneError("the other process could not answer"));
      else question?.resolve(value);
    },
    fail(address) {
      for (const [id, question] of asked)
        if (question.to === address) {
          asked.delete(id);
          question.reject(new ProcessGoneError(`${address} is gone`));
        }
    },
  };
}
