import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ProcessLink } from "../away/homes.ts";
import type { Sockets } from "../sockets.ts";
import { parseQuery, type TakeHandshake, toHandshake } from "./handshake.ts";
import { openAwaySessions, type PostStatus, toProcessName } from "./longpoll-away.ts";
import { createLongPollSessions, isSessionToken, type LongPollSession } from "./longpoll-session.ts";

/** Lines of one POST; more are left out, as Phoenix does. Clients send at most so many. */
const MAX_LINES = 100;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Offers and candidates for a full room at once, as a WebSocket may send them to another process in one burst. */
const MAX_POST_BYTES = 1_000_000;

/** Whether the body is a list of messages; else the whole of it is one, as first clients sent it. */
function isNdjson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-ndjson";
}

/** A line that is not JSON is a binary message in base64. Undefined: neither. */
function parseLine(line: string): string | Buffer | undefined {
  if (line.startsWith("[")) return line;
  return BASE64.test(line) ? Buffer.from(line, "base64") : undefined;
}

/** The messages of a POST, in order. Undefined: a line is neither JSON nor base64, or the bytes are no text. */
function parseMessages(
  body: Buffer,
  contentType: string | undefined,
): readonly (string | Buffer)[] | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString();
  if (!isNdjson(contentType)) return [text];
  const messages: (string | Buffer)[] = [];
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const message = line === "" ? undefined : parseLine(line);
    if (message !== undefined) messages.push(message);
    else if (line !== "") return undefined;
  }
  return messages;
}

const PREFLIGHT_S = 3600;
/** For answers to a method alone, as Phoenix sends it. */
const PRIVATE = "max-age=0, private, must-revalidate";

interface LongPollDeps {
  path: string;
  sockets: Sockets;
  takeHandshake: TakeHandshake;
  link?: ProcessLink | undefined;
}

/** The client reads this status, not that of HTTP, which is 200 for every answer of the protocol. */
interface Answer {
  status: 200 | 204 | 400 | 403 | 408 | 410;
  token?: string;
  messages?: readonly string[];
}

function readHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Clients put it last, behind parameters of their own, which may be named so too. */
function readSessionToken(request: FastifyRequest): string | undefined {
  return (
    readHeader(request, "x-phoenix-longpoll-token") ?? parseQuery(request.raw.url).getAll("token").at(-1)
  );
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(JSON.stringify(answer));
}

/** Answers when there are messages, and takes them back where the client hung up before they were written. */
function answerPoll(reply: FastifyReply, session: LongPollSession, token: string): FastifyReply {
  let sent: readonly string[] | undefined;
  const answer = (messages: readonly string[]) => {
    sent = messages;
    send(reply, { status: messages.length > 0 ? 200 : 204, token, messages });
  };
  function takeBack(): void {
    if (sent && !reply.raw.writableFinished) {
      session.restore(sent);
      reply.raw.destroy();
    }
    sent = undefined;
  }
  reply.raw.once("close", () => {
    session.abandon(answer);
    takeBack();
  });
  session.takeBack?.();
  session.takeBack = takeBack;
  session.poll(answer);
  return reply;
}

/** Hands the lines of a POST to the session's connection; undefined: they can't be read. */
function takeMessages(
  session: LongPollSession,
  messages: readonly (string | Buffer)[] | undefined,
  maxFrameBytes: number,
): PostStatus {
  // Phoenix crashes with 500 here. The fault is the client's, and a 5xx would alarm whoever watches the site.
  if (!messages) {
    session.close();
    return 400;
  }
  for (const message of messages) {
    if (Buffer.byteLength(message) > maxFrameBytes) session.close();
    else session.connection?.receive(message);
    // 408 is what Phoenix answers for a session that died of its message; ours says so at once.
    if (session.isClosed) return 408;
  }
  return 200;
}

function onOptions(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = readHeader(request, "access-control-request-headers");
  if (asked !== undefined) reply.header("access-control-allow-headers", asked);
  return reply
    .headers({
      "cache-control": PRIVATE,
      "access-control-allow-methods": "get, post, options",
      "access-control-max-age": String(PREFLIGHT_S),
    })
    .send();
}

/**
 * The long-poll endpoint, for clients whose network lets no WebSocket through.
 * @returns what answers the polls that wait for another process, whose clients come back to one that stays
 */
export function registerLongPollRoutes(app: FastifyInstance, deps: LongPollDeps): () => void {
  const { path, sockets, takeHandshake, link } = deps;
  const { maxFrameBytes, longPollWindowMs } = sockets.rules;
  const sessions = createLongPollSessions(sockets, link && toProcessName(link.self));
  /** Polls that wait for another process. */
  const handedOn = new Set<AbortController>();
  const away =
    link &&
    openAwaySessions({
      ...{ link, sessions, windowMs: longPollWindowMs },
      take(token, messages) {
        const session = sessions.find(token);
        return session && !session.isClosed ? takeMessages(session, messages, maxFrameBytes) : undefined;
      },
    });

  async function openSession(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const retryAfterS = takeHandshake(request.ip);
    if (retryAfterS > 0) return reply.code(429).header("retry-after", String(retryAfterS)).send();
    const authToken = readHeader(request, "x-phoenix-authtoken");
    const handshake = toHandshake(request.raw, request.ip, authToken);
    const tokens = handshake.query.getAll("token").filter((token) => !isSessionToken(token));
    handshake.query.delete("token");
    for (const token of tokens) handshake.query.append("token", token);
    const admission = await sockets.admit(handshake);
    // No refusal of who asks: their token is as good as before.
    if (sockets.isDraining) return reply.code(503).send();
    if (!admission) return send(reply, { status: 403 });
    if (reply.raw.destroyed) return reply;
    // 410 says: take this token. For a client that had another one it means that its session is gone.
    return send(reply, { status: 410, token: sessions.open(admission), messages: [] });
  }

  function poll(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const token = readSessionToken(request);
    const session = sessions.find(token);
    if (token === undefined) return openSession(request, reply);
    if (session && !session.isOver) return answerPoll(reply, session, token);
    const owner = findOwner(token);
    return owner === undefined ? openSession(request, reply) : pollAway(request, reply, { token, owner });
  }

  async function pollAway(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, owner }: { token: string; owner: string },
  ): Promise<FastifyReply> {
    const waiting = new AbortController();
    let hungUp = false;
    let sent: readonly string[] = [];
    reply.raw.once("close", () => {
      hungUp = true;
      waiting.abort();
      if (sent.length > 0 && !reply.raw.writableFinished) away?.restore(owner, token, sent);
    });
    handedOn.add(waiting);
    const messages = await away?.poll(owner, token, waiting.signal);
    handedOn.delete(waiting);
    if (hungUp) {
      if (messages && messages.length > 0) away?.restore(owner, token, messages);
      return reply;
    }
    if (!messages) return openSession(request, reply);
    sent = messages;
    return send(reply, { status: messages.length > 0 ? 200 : 204, token, messages });
  }

  function findOpen(token: string | undefined): LongPollSession | undefined {
    const session = sessions.find(token);
    return session?.isClosed ? undefined : session;
  }

  const findOwner = (token: string | undefined) =>
    token !== undefined && isSessionToken(token) ? away?.findOwner(token) : undefined;

  async function push(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = readSessionToken(request);
    const session = findOpen(token);
    const owner = session ? undefined : findOwner(token);
    if (!session && owner === undefined) return send(reply, { status: 410 });
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const messages = parseMessages(body, readHeader(request, "content-type"));
    const status = session
      ? takeMessages(session, messages, maxFrameBytes)
      : await away?.post(owner ?? "", token ?? "", messages);
    if (status === "busy") return reply.code(503).send();
    if (status === 400) reply.code(400);
    return send(reply, { status: status ?? 410 });
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("access-control-allow-origin", "*");
  });
  // The client reads a status in a body as the protocol's. One that isn't leaves it without a poll, and deaf; without a body it comes back.
  app.addHook("onSend", async (_request, reply, payload) => (reply.statusCode < 429 ? payload : null));
  async function refuseStranger(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // Nobody makes the server keep megabytes without having been let in.
    if (request.method !== "POST") return;
    const token = readSessionToken(request);
    if (findOpen(token)) return;
    const owner = findOwner(token);
    if (owner === undefined || !(await away?.isOpen(owner, token ?? ""))) await send(reply, { status: 410 });
  }
  const options = { schema: { hide: true }, onRequest: refuseStranger, bodyLimit: MAX_POST_BYTES };
  app.all(path, options, (request, reply) => {
    if (request.method === "GET") return poll(request, reply);
    if (request.method === "POST") return push(request, reply);
    if (request.method === "OPTIONS") return onOptions(request, reply);
    return reply.code(400).header("cache-control", PRIVATE).send();
  });
  return () => {
    for (const waiting of handedOn) waiting.abort();
  };
}
