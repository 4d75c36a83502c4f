import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { createSockets } from "#server/socket/create-sockets.ts";
import type { Identities } from "#server/socket/identities.ts";
import type { SocketRules, Sockets } from "#server/socket/sockets.ts";
import { registerSockets, shouldUpgrade } from "#server/socket/transports/register-sockets.ts";
import { createTestChannels, type TestPerson } from "./test-channel.ts";

/** The server that the transcripts are played against. */
export interface ChannelServer {
  /** `ws://127.0.0.1:…` */
  url: string;
  sockets: Sockets;
  /** Tokens of the handshakes, in their order. */
  tokens: (string | undefined)[];
  close(): Promise<void>;
}

const REFUSED_TOKENS: ReadonlySet<string | undefined> = new Set(["bad", "colon_error"]);

/** As the recorded server was set; one address makes all connections here. */
const RULES: Partial<SocketRules> = {
  maxFrameBytes: 1_000_000,
  longPollWindowMs: 2000,
  presenceWindowMs: 0,
  handshakesPerMinute: 10_000,
};

/** `http://localhost` is port 80 alone; `//*.example.com` is any scheme and port, and the domain itself. */
function isOriginAllowed(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return origin === "http://localhost" || hostname === "example.com" || hostname.endsWith(".example.com");
}

/** A session for each connection, which `disconnect` ends: the next connection of the same person is a new one. */
class TestSessions implements Identities {
  readonly #people = new Map<string, TestPerson>();
  readonly #listeners: ((userIds: readonly number[]) => void)[] = [];
  #opened = 0;

  open(person: Omit<TestPerson, "sessionId">): TestPerson {
    const signedIn = { ...person, sessionId: String(++this.#opened) };
    this.#people.set(signedIn.sessionId, signedIn);
    return signedIn;
  }

  disconnect(userId: number): void {
    for (const [sessionId, person] of this.#people)
      if (person.userId === userId) this.#people.delete(sessionId);
    for (const listener of this.#listeners) listener([userId]);
  }

  subscribe(listener: (userIds: readonly number[]) => void): void {
    this.#listeners.push(listener);
  }

  async find(): Promise<ReadonlyMap<string, TestPerson>> {
    return this.#people;
  }
}

/** Starts both endpoints at `/socket`, and at `/short` with an idle timeout of 1500 ms. */
export async function startChannelServer(
  options: { port?: number; rules?: Partial<SocketRules> } = {},
): Promise<ChannelServer> {
  const userIds = new Map<string, number>();
  const tokens: (string | undefined)[] = [];
  const sessions = new TestSessions();

  function connect({
    token,
    params,
  }: {
    token: string | undefined;
    params: Readonly<Record<string, string>>;
  }) {
    tokens.push(token);
    if (REFUSED_TOKENS.has(token)) return undefined;
    const username = params.user_id ?? token ?? "anonymous";
    const userId = userIds.get(username) ?? userIds.size + 1;
    userIds.set(username, userId);
    const nowhere = { ipAddress: null, requestId: null };
    return sessions.open({ ...nowhere, userId, username, level: 10, authToken: token ?? null });
  }

  const log = { error: () => undefined, warn: () => undefined };
  const open = (rules: Partial<SocketRules>) =>
    createSockets({
      channels: createTestChannels((userId) => sessions.disconnect(userId)),
      connect,
      isOriginAllowed,
      identities: sessions,
      log,
      rules: { ...RULES, ...options.rules, ...rules },
    });
  const sockets = open({});
  const short = open({ idleTimeoutMs: 1500 });

  const app = fastify({ http: { shouldUpgradeCallback: shouldUpgrade } });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("nf"));
  await registerSockets(app, { path: "/socket", sockets, trustProxy: false });
  await registerSockets(app, { path: "/short", sockets: short, trustProxy: false });
  await app.listen({ port: options.port ?? 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // it listens on TCP

  return {
    url: `ws://127.0.0.1:${port}`,
    sockets,
    tokens,
    async close() {
      await app.close();
      sockets.close();
      short.close();
    },
  };
}
