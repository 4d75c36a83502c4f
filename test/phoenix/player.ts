import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Channel, LongPoll, Presence, type Push, Socket, type SocketConnectOption } from "phoenix";
import type { ClientOptions } from "ws";
import { createRecordedWebSocket } from "./recorded-websocket.ts";
import type { RecordedLine, Recording } from "./recording.ts";

const HEARTBEAT_MS = 30_000;
const POLL_MS = 10;
/** Ends a scenario in which the server says less than it should. */
const LATEST_MS = 20_000;
const STATUSES = ["ok", "error", "timeout", "busy"];
const EVENTS = [
  "roster_snapshot",
  "participant_joined",
  "participant_speaking",
  "participant_muted",
  "offer",
  "answer",
  "ice-candidate",
  "shouted",
  "bin_pushed",
  "bin_broadcast",
];
const KEPT_HEADERS = /content-type|access-control|cache-control|allow/;

/** The npm client with the name that its lines carry. */
export interface NamedSocket {
  name: string;
  socket: Socket;
}

export type RawSocket = InstanceType<ReturnType<typeof createRecordedWebSocket>> & {
  hasClosed: Promise<unknown>;
};

export interface HttpAnswer {
  status: number;
  json: { token?: string; messages?: string[] } | undefined;
}

interface HttpOptions {
  headers?: Record<string, string>;
  body?: string;
}

type NpmOptions = Partial<SocketConnectOption> & { path?: string };

/** Bytes are written down as hexadecimal. */
function toRecordable(payload: unknown): unknown {
  return payload instanceof ArrayBuffer ? { hex: Buffer.from(payload).toString("hex") } : payload;
}

function parseAnswer(body: string): HttpAnswer["json"] {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // scenarios also ask what answers without JSON
  }
}

/** Handshakes and messages of all clients; closes say nothing, the client's library adds some. */
function countSent(lines: readonly RecordedLine[]): number {
  return lines.filter(({ dir, conn, kind }) => conn && dir === "c2s" && kind !== "close").length;
}

/** By client, how many frames had come for it when the clients sent theirs number `sent + 1`. HTTP is left out: its answers are awaited. */
function countArrivals(lines: readonly RecordedLine[], sent: number): Map<string, number> {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const { dir, conn } of lines) {
    if (!conn) continue;
    if (dir === "c2s") seen++;
    if (seen > sent) break;
    if (dir === "s2c") counts.set(conn, (counts.get(conn) ?? 0) + 1);
  }
  return counts;
}

/**
 * The clients of one scenario: everything that they do and see is recorded. With `model`, an earlier recording of the scenario,
 * a pause also lasts until the server has sent as much as it had there: what a busy machine sends late is waited for.
 */
export class Player {
  readonly recording: Recording;
  readonly httpUrl: string;
  /** Process of the server, for the scenario that ends it. */
  readonly serverPid: number | undefined;
  readonly #url: string;
  readonly #model: readonly RecordedLine[];
  readonly #closers: (() => void)[] = [];

  constructor(
    recording: Recording,
    url: string,
    { serverPid, model = [] }: { serverPid?: number | undefined; model?: readonly RecordedLine[] } = {},
  ) {
    this.recording = recording;
    this.#model = model;
    this.#url = url;
    this.httpUrl = url.replace(/^ws/, "http");
    this.serverPid = serverPid;
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms);
    await this.waitFor((lines) => this.#hasReceivedAll(lines));
  }

  /** Whether the server has sent as much as in the model, for what the clients have sent so far. */
  #hasReceivedAll(lines: readonly RecordedLine[]): boolean {
    const sent = lines.filter(({ dir, conn }) => conn && dir === "c2s").length;
    const arrived = countArrivals(lines, sent);
    return [...countArrivals(this.#model, sent)].every(([conn, count]) => (arrived.get(conn) ?? 0) >= count);
  }

  /** At the end of a scenario: also until its clients have done by their own timers what they did in the model. */
  async catchUp(): Promise<void> {
    const expected = countSent(this.#model);
    await this.waitFor((lines) => countSent(lines) >= expected && this.#hasReceivedAll(lines));
  }

  /** Without a model. */
  readonly sleep = (ms: number): Promise<void> => sleep(ms);

  /** Until the recording is so. */
  async waitFor(isSo: (lines: readonly RecordedLine[]) => boolean): Promise<void> {
    const latest = Date.now() + LATEST_MS;
    while (!isSo(this.recording.lines)) {
      if (Date.now() > latest) throw new Error(`The server did not say what was waited for: ${isSo}`);
      await sleep(POLL_MS);
    }
  }

  /** The npm client over WebSocket, connecting. */
  npm(name: string, params: object, { path = "/socket", ...options }: NpmOptions = {}): NamedSocket {
    const transport = createRecordedWebSocket(this.recording, name);
    const defaults = { transport, params, heartbeatIntervalMs: HEARTBEAT_MS };
    const client = { name, socket: new Socket(this.#url + path, { ...defaults, ...options }) };
    this.#watch(client);
    client.socket.onError((error) => {
      const message = error instanceof Error && error.message;
      this.recording.add({ conn: name, dir: "api", event: "socket.onError", message });
    });
    return this.#connect(client);
  }

  /** The npm client over long polling, connecting. */
  npmLongPoll(name: string, params: object): NamedSocket {
    const client = { name, socket: new Socket(`${this.httpUrl}/socket`, { transport: LongPoll, params }) };
    this.#watch(client);
    return this.#connect(client);
  }

  /** Each callback takes one of the client's refs: another number of them, and the transcript has other refs. */
  #watch({ name: conn, socket }: NamedSocket): void {
    socket.onOpen(() => this.recording.add({ conn, dir: "api", event: "socket.onOpen" }));
    socket.onClose(({ code }) => this.recording.add({ conn, dir: "api", event: "socket.onClose", code }));
  }

  #connect(client: NamedSocket): NamedSocket {
    client.socket.connect();
    this.#closers.push(() => client.socket.disconnect());
    return client;
  }

  channel(client: NamedSocket, topic: string, params?: object): Channel {
    const channel = client.socket.channel(topic, params);
    channel.onError((reason) => this.#addApi(client, channel, "channel.onError", reason));
    channel.onClose((reason) => this.#addApi(client, channel, "channel.onClose", reason));
    for (const event of EVENTS) {
      channel.on(event, (payload) => this.#addApi(client, channel, `on:${event}`, toRecordable(payload)));
    }
    return channel;
  }

  /** With the number of tabs of each who is present, at each change. */
  watchPresence(client: NamedSocket, channel: Channel): Presence {
    const add = (event: string, data: unknown) =>
      this.recording.add({ conn: client.name, dir: "api", event, data });
    const presence = new Presence(channel);
    presence.onJoin((id, before, after) =>
      add("presence.onJoin", { id, cur: before?.metas.length, nw: after.metas.length }),
    );
    presence.onLeave((id, rest, left) =>
      add("presence.onLeave", { id, left: left.metas.length, remaining: rest.metas.length }),
    );
    presence.onSync(() =>
      add(
        "presence.onSync",
        presence.list((key, entry) => [key, entry.metas.length]),
      ),
    );
    return presence;
  }

  #addApi(client: NamedSocket, channel: Channel, event: string, data: unknown): void {
    this.recording.add({ conn: client.name, dir: "api", topic: channel.topic, event, data });
  }

  join = (client: NamedSocket, channel: Channel) => this.settle(client, channel, "join", channel.join());

  push(client: NamedSocket, channel: Channel, event: string, payload: object, timeoutMs?: number) {
    return this.settle(client, channel, `push ${event}`, channel.push(event, payload, timeoutMs));
  }

  /** Until the push is answered or has timed out. */
  settle(client: NamedSocket, channel: Channel, label: string, push: Push): Promise<unknown> {
    return new Promise((resolve) => {
      for (const status of STATUSES) {
        // The types know three statuses; a channel may answer any.
        push.receive(status as "ok", (response) => {
          this.#addApi(client, channel, `${label} -> ${status}`, toRecordable(response));
          resolve(response);
        });
      }
    });
  }

  /** A WebSocket that says what the scenario says. Resolves when it is open, or refused. */
  raw(
    name: string,
    url = "/socket/websocket?vsn=2.0.0&user_id=raw",
    options: ClientOptions = {},
    protocols?: string[],
  ): Promise<RawSocket> {
    const RecordedWebSocket = createRecordedWebSocket(this.recording, name, options);
    return new Promise((resolve) => {
      const plain = new RecordedWebSocket(this.#url + url, protocols);
      const hasClosed = new Promise((settle) => plain.on("close", settle));
      const socket: RawSocket = Object.assign(plain, { hasClosed });
      this.#closers.push(() => socket.terminate());
      socket.on("open", () => resolve(socket));
      socket.on("close", () => resolve(socket));
    });
  }

  http(method: string, url: string, { headers = {}, body }: HttpOptions = {}): Promise<HttpAnswer> {
    this.recording.add({ dir: "c2s", kind: "http", method, url, headers, body: body ?? null });
    return new Promise((resolve) => {
      const sent = request(this.httpUrl + url, { method, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const kept = Object.entries(response.headers).filter(([name]) => KEPT_HEADERS.test(name));
          const line = { status, headers: Object.fromEntries(kept), body: text };
          this.recording.add({ dir: "s2c", kind: "http", ...line });
          resolve({ status, json: parseAnswer(text) });
        });
      });
      sent.on("error", (error) => {
        this.recording.add({ dir: "s2c", kind: "http_error", message: error.message });
        resolve({ status: 0, json: undefined });
      });
      sent.end(body);
    });
  }

  /** Ends what the scenario left open, unrecorded. */
  close(): void {
    this.recording.stop();
    for (const closeOne of this.#closers) closeOne();
  }
}

/** Sends a message in the array form of version 2. */
export function sendArray(socket: RawSocket, ...message: unknown[]): void {
  socket.send(JSON.stringify(message));
}
