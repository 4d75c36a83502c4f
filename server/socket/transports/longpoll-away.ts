import type { ProcessLink } from "../away/homes.ts";
import { type Carried, fromCarried, toCarried } from "../away/wire.ts";
import type { LongPollSessions } from "./longpoll-session.ts";

/** What is left of a poll or a post when its session can't be found: the client gets another one. */
const GONE = "gone";
/** A poll is answered by its session's process after its window; the way takes this much longer at the most. */
const WAY_MS = 3_000;

/** Of posts that are on their way to other processes. What carries them is everybody's. */
const MAX_UNDER_WAY_BYTES = 2_000_000;

const POLL = "longpoll.poll";
const ABANDON = "longpoll.abandon";
const RESTORE = "longpoll.restore";
const POST = "longpoll.post";
const IS_OPEN = "longpoll.is_open";

/** What a post is answered by the protocol: taken, unreadable, or its session died of it. */
export type PostStatus = 200 | 400 | 408;

interface PollRequest {
  token: string;
  /** Of the poll, for `ABANDON`. */
  id: string;
}
interface PostRequest {
  token: string;
  /** Null: nobody can read them. */
  messages: readonly Carried[] | null;
}

/** Polls and posts that came to another process than the one that holds their session. */
export interface AwaySessions {
  /** The process that holds the session, by its token, if it is another one that is there. */
  findOwner(token: string): string | undefined;
  /** Whether it does: anybody can name a process. */
  isOpen(owner: string, token: string): Promise<boolean>;
  /** @returns its messages; undefined where the session is gone. Aborted by `signal`, it answers at once, and what comes waits for the next poll. */
  poll(owner: string, token: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Gives messages back that did not reach the client. */
  restore(owner: string, token: string, messages: readonly string[]): void;
  /** @returns the protocol's status; undefined where the session is gone; busy: it wasn't handed on. */
  post(
    owner: string,
    token: string,
    messages: readonly (string | Buffer)[] | undefined,
  ): Promise<PostStatus | "busy" | undefined>;
}

/** The name of the process that a token was given by; undefined: it was the only one. */
const readOwnerName = (token: string) => /^lp\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];

export function toProcessName(address: string): string {
  return address.slice(0, address.lastIndexOf("."));
}

export function openAwaySessions(deps: {
  link: ProcessLink;
  sessions: LongPollSessions;
  windowMs: number;
  /** Hands messages to a session of this process. @returns the protocol's status */
  take(token: string, messages: readonly (string | Buffer)[] | undefined): PostStatus | undefined;
}): AwaySessions {
  const { link, sessions, windowMs } = deps;
  const abandon = new Map<string, () => void>();
  let lastId = 0;
  let underWayBytes = 0;

  link.answer(POLL, (body) => {
    const { token, id } = body as PollRequest; // see `poll`
    const session = sessions.find(token);
    if (!session || session.isOver) return Promise.resolve(GONE);
    return new Promise<readonly string[]>((resolve) => {
      const answer = (messages: readonly string[]) => {
        abandon.delete(id);
        resolve(messages);
      };
      abandon.set(id, () => {
        session.abandon(answer);
        answer([]);
      });
      session.takeBack?.();
      session.takeBack = undefined;
      session.poll(answer);
    });
  });
  link.on(ABANDON, (body) => abandon.get(String(body))?.());
  link.on(RESTORE, (body) => {
    const { token, messages } = body as { token: string; messages: readonly string[] }; // see `restore`
    sessions.find(token)?.restore(messages);
  });
  link.answer(POST, async (body) => {
    const { token, messages } = body as PostRequest; // see `post`
    return deps.take(token, messages?.map(fromCarried)) ?? GONE;
  });

  link.answer(IS_OPEN, async (body) => sessions.find(String(body))?.isClosed === false);

  return {
    isOpen: async (owner, token) => (await link.ask(owner, IS_OPEN, token).catch(() => false)) === true,
    findOwner(token) {
      const name = readOwnerName(token);
      if (name === undefined) return undefined;
      return link.list().find((address) => address !== link.self && toProcessName(address) === name);
    },
    async poll(owner, token, signal) {
      lastId += 1;
      const id = `${link.self} ${lastId}`;
      const leave = () => link.send(owner, ABANDON, id);
      signal.addEventListener("abort", leave, { once: true });
      try {
        const answer = await link.ask(owner, POLL, { token, id }, windowMs + WAY_MS).catch(() => GONE);
        return answer === GONE ? undefined : (answer as readonly string[]); // see `POLL` above
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
    restore: (owner, token, messages) => link.send(owner, RESTORE, { token, messages }),
    async post(owner, token, messages) {
      const request: PostRequest = { token, messages: messages?.map(toCarried) ?? null };
      const bytes = messages?.reduce((sum, message) => sum + message.length, 0) ?? 0;
      if (underWayBytes + bytes > MAX_UNDER_WAY_BYTES) return "busy";
      underWayBytes += bytes;
      const answer = await link.ask(owner, POST, request).catch(() => GONE);
      underWayBytes -= bytes;
      return answer === GONE ? undefined : (answer as PostStatus); // see `POST` above
    },
  };
}
