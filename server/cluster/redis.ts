import type { RedisClientType } from "@redis/client";

/** Redis didn't answer, or is known to be away: whoever asks goes on without it. */
export class RedisAwayError extends Error {
  override name = "RedisAwayError";
}

/** A question that takes longer finds Redis away: nobody's request waits for it. */
const ANSWER_MS = 500;
/** A timer that comes so late says that the process stood still. */
const STOOD_STILL_MS = 50;
/** Between two tries to reach it. */
const RETRY_MS = 250;
const CONNECT_MS = 2_000;
/** Connections that say nothing are asked so often whether they still stand. */
const PING_MS = 1_000;
/** A connection on which nothing moves for so long is lost without a word, behind a network that broke: another one is opened. */
const SILENT_MS = 5_000;

/** The process's connection to Redis 7 or Valkey. Redis may go and come back at any time. */
export interface Redis {
  /** False from its connection's end, or two seconds without an answer, until it answers again. */
  readonly isUp: boolean;
  /** The client itself, for libraries that take one; they are called inside `ask`. */
  readonly client: RedisClientType;
  /** @throws RedisAwayError at once while it is away or slow, else after 500 ms without an answer; whatever Redis itself refuses. */
  ask<Answer>(question: (client: RedisClientType) => Promise<Answer>): Promise<Answer>;
  /** @returns how many connections heard it. Without a deadline of its own: who listens finds out when nothing comes. @throws RedisAwayError */
  publish(channel: string, message: string): Promise<number>;
  /** Hears a channel from now on, and again each time Redis is back; what was published while it was away is lost. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** Calls the listener each time Redis goes or comes back. */
  onChange(listener: (isUp: boolean) => void): void;
  close(): Promise<void>;
}

interface RedisDeps {
  /** `redis://` or `rediss://`, with user, password and the number of the database. */
  url: string;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  /** In tests: how long a question may take. */
  answerMs?: number;
  /** In tests: how long a connection may be silent. */
  silentMs?: number;
}

/** The name of the server without its password. */
export function toServerName(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** Whether Redis itself answered, and refused: it is there. */
const isRefusal = (error: unknown) => error instanceof Error && error.constructor.name === "SimpleError";

/** Redis is there, and doesn't let its user do what the site does. The message begins with the command. */
export class RedisRefusedError extends Error {
  override name = "RedisRefusedError";
}

/** In the order of what is most telling. A script's own commands are asked for by themselves first: its refusal wouldn't name them. */
const TRIES: Record<string, (client: RedisClientType, name: string) => Promise<unknown>> = {
  PING: (client) => client.ping(),
  PUBLISH: (client, name) => client.publish(name, ""),
  SET: (client, name) => client.set(name, "1", { expiration: { type: "EX", value: 10 } }),
  GET: (client, name) => client.get(name),
  INCRBY: (client, name) => client.incrBy(name, 1),
  PTTL: (client, name) => client.pTTL(name),
  "MULTI and EXEC": (client, name) => client.multi().get(name).pTTL(name).exec(),
  EVAL: (client, name) => client.eval("return redis.call('get', KEYS[1])", { keys: [name] }),
  DEL: (client, name) => client.del(name),
  // From here on this connection can do nothing else.
  SUBSCRIBE: (client, name) => client.subscribe(name, () => undefined),
  UNSUBSCRIBE: (client, name) => client.unsubscribe(name),
};

/** @throws RedisRefusedError, and what the network says */
async function tryOut<Answer>(command: string, question: Promise<Answer>): Promise<Answer> {
  return question.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    throw new RedisRefusedError(`${command}: ${(error as Error).message}`, { cause: error });
  });
}

/**
 * For a command: tries all that a site does, under names of its own. `channel`: of a site that may run.
 * @returns which server it is, with its version, and how many hear that channel
 * @throws RedisRefusedError, and what the network says
 */
export async function askServer(url: string, channel: string): Promise<{ title: string; hearing: number }> {
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  }) as unknown as RedisClientType; // as in `openRedis`
  client.on("error", () => undefined); // whoever asks is told
  await client.connect();
  try {
    // A site doesn't need to know it.
    const info = await client.info("server").catch(() => "");
    const version = /(?:redis|valkey)_version:(\S+)/.exec(info)?.[1];
    const heard = await tryOut("PUBSUB NUMSUB", client.pubSubNumSub(channel));
    for (const [command, ask] of Object.entries(TRIES))
      await tryOut(command, ask(client, `${channel}:check`));
    return { title: `${toServerName(url)}, version ${version ?? "unknown"}`, hearing: heard[channel] ?? 0 };
  } finally {
    client.destroy();
  }
}

/** What came while this process stood still itself is read first: the time doesn't count. */
function withDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout;
  const wait = () => {
    const due = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - due > STOOD_STILL_MS) wait();
      else setImmediate(() => late.reject(new RedisAwayError(`no answer in ${ms} ms`)));
    }, ms);
  };
  wait();
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

/** So many times as long as a question may take, it may say nothing before it is away: a fork or a slow disk holds it up. */
const PATIENCE = 4;
/** Of one that wants a password, still reads its file, or may not be used. */
const IS_USELESS = /\b(NOAUTH|WRONGPASS|LOADING|NOPERM|BUSY)\b/;

/**
 * Opens the connections, one to ask and one to listen. Where Redis can't be reached yet, they are opened as soon as it can: the site starts
 * without it. The library is loaded here, so that a site without Redis doesn't pay for it.
 */
export async function openRedis(deps: RedisDeps): Promise<Redis> {
  const { url, log, answerMs = ANSWER_MS, silentMs = SILENT_MS } = deps;
  const { createClient } = await import("@redis/client");
  const listeners = new Set<(isUp: boolean) => void>();
  let isUp = false;
  let isClosed = false;
  /** Since the last change: one line of the log for each time it goes. */
  let fault = "not reached yet";
  let check: NodeJS.Timeout | undefined;

  const options = {
    url,
    RESP: 2 as const,
    disableOfflineQueue: true,
    // The client's own time-out is a signal and a timer for each command, which cost more than the command. Whoever asks has a deadline here.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: silentMs,
      reconnectStrategy: () => RETRY_MS,
      keepAlive: true,
    },
  };
  // The generic client without modules is what the type names.
  const client = createClient(options) as unknown as RedisClientType;
  const listening = createClient(options) as unknown as RedisClientType;

  function setUp(next: boolean, why = ""): void {
    if (next === isUp || isClosed) return;
    isUp = next;
    fault = why;
    if (next) log.info({}, `Redis answers (${toServerName(url)})`);
    else log.warn({ fault: why }, `Redis is away (${toServerName(url)}): processes go on by themselves`);
    for (const listener of listeners) listener(next);
  }

  const isReady = () => client.isReady && listening.isReady;
  /** It was too slow for a question: nobody asks until it has answered. What is published waits longer. */
  let isSlow = false;
  /** A look that is under way. */
  let looking: Promise<void> | undefined;
  /** Each connection's question that nobody has answered yet. It isn't asked again: a connection to which something is written isn't silent. */
  const asked = new Map<RedisClientType, Promise<void>>();

  /** A refusal is an answer, but for those of one that can't work at all. */
  async function askOne(one: RedisClientType): Promise<void> {
    try {
      await one.ping();
    } catch (error) {
      if (!isRefusal(error) || IS_USELESS.test(String(error))) throw error;
    }
  }

  function ping(one: RedisClientType): Promise<void> {
    const answer = asked.get(one) ?? askOne(one).finally(() => asked.delete(one));
    asked.set(one, answer);
    return answer;
  }

  /** Up is what has both connections and answers. */
  async function askBoth(): Promise<void> {
    try {
      await withDeadline(Promise.all([ping(client), ping(listening)]), answerMs * PATIENCE);
      isSlow = false;
      if (isReady()) setUp(true);
    } catch (error) {
      setUp(false, error instanceof Error ? error.message : String(error));
    }
  }

  /** Who comes while it is asked waits for that answer. */
  async function look(): Promise<void> {
    if (isClosed || !isReady()) return;
    looking ??= askBoth().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  /** What a question that failed says of Redis. */
  function fail(error: unknown): never {
    if (isRefusal(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    setUp(false, why);
    throw error instanceof RedisAwayError ? error : new RedisAwayError(why, { cause: error });
  }

  for (const one of [client, listening]) {
    one.on("error", (error: Error) => setUp(false, error.message));
    one.on("end", () => setUp(false, "the connection ended"));
    one.on("reconnecting", () => setUp(false, "the connection broke"));
    one.on("ready", () => void look());
  }

  const connected = Promise.allSettled([client.connect(), listening.connect()]);
  check = setInterval(() => void look(), PING_MS).unref();
  await Promise.race([connected, new Promise((resolve) => setTimeout(resolve, CONNECT_MS).unref())]);
  await look();
  if (!isUp) log.warn({ fault }, `Redis isn't reached yet (${toServerName(url)})`);

  return {
    get isUp() {
      return isUp;
    },
    client,
    async ask(question) {
      if (!isUp || isSlow) throw new RedisAwayError(isSlow ? "too slow" : fault);
      try {
        return await withDeadline(question(client), answerMs);
      } catch (error) {
        if (!(error instanceof RedisAwayError)) return fail(error);
        isSlow = true;
        void look();
        throw error;
      }
    },
    async publish(channel, message) {
      if (!isUp) throw new RedisAwayError(fault);
      return client.publish(channel, message).catch((error: unknown) => fail(error));
    },
    subscribe: (channel, onMessage) => listening.subscribe(channel, onMessage),
    unsubscribe: (channel) => listening.unsubscribe(channel),
    onChange: (listener) => void listeners.add(listener),
    async close() {
      isClosed = true;
      isUp = false;
      fault = "closed";
      clearInterval(check);
      for (const one of [client, listening]) if (one.isOpen) one.destroy();
      await connected;
    },
  };
}
