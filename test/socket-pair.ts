import { setImmediate as turn } from "node:timers/promises";
import type { Serializer, WireData } from "#server/socket/serializer.ts";
import type { Connection, Sockets } from "#server/socket/sockets.ts";
import type { Transport } from "#server/socket/transport.ts";

/** A client and a server that reach each other through two queues. */
class Line {
  readonly #toServer: WireData[] = [];
  readonly #toClient: WireData[] = [];
  readonly #sockets: Sockets;
  readonly #query: URLSearchParams;
  readonly #authToken: string | undefined;
  #connection: Connection | undefined;
  closeCode: number | undefined;
  onOpen: () => void = () => undefined;
  onMessage: (data: WireData) => void = () => undefined;
  onClose: (code: number) => void = () => undefined;

  constructor(sockets: Sockets, query: URLSearchParams, authToken: string | undefined) {
    this.#sockets = sockets;
    this.#query = query;
    this.#authToken = authToken;
  }

  /** Says whether the server lets the client in. */
  async open(): Promise<boolean> {
    const handshake = { query: this.#query, headers: {}, address: "192.0.2.1", authToken: this.#authToken };
    const admission = await this.#sockets.admit(handshake);
    if (!admission) {
      this.#finish(1006);
      return false;
    }
    this.#connection = this.#sockets.open(admission, this.#toTransport(admission.serializer));
    this.onOpen();
    return true;
  }

  #toTransport(serializer: Serializer): Transport {
    return {
      send: (data) => this.send(data),
      sendShared: (message) => this.send(message.encode(serializer)),
      close: (code) => this.close(code),
    };
  }

  get isOpen(): boolean {
    return this.#connection !== undefined && this.closeCode === undefined;
  }

  send(data: WireData): void {
    if (this.closeCode === undefined) this.#toClient.push(data);
  }

  close(code: number): void {
    this.deliverToClient();
    this.#finish(code);
  }

  write(data: WireData): void {
    this.#toServer.push(data);
  }

  /** The client is gone; what it wrote before still arrives. */
  drop(code: number): void {
    this.deliverToServer();
    this.#connection?.end();
    this.#finish(code);
  }

  #finish(code: number): void {
    if (this.closeCode !== undefined) return;
    this.closeCode = code;
    this.onClose(code);
  }

  deliverToServer(): boolean {
    const written = this.#toServer.splice(0);
    for (const data of written)
      this.#connection?.receive(typeof data === "string" ? data : Buffer.from(data));
    return written.length > 0;
  }

  deliverToClient(): boolean {
    const sent = this.#toClient.splice(0);
    for (const data of sent) this.onMessage(data);
    return sent.length > 0;
  }
}

/** Moves frames both ways until none is left; what is awaited on the way gets its turn. */
async function flushAll(lines: Iterable<Line>, turns: number): Promise<void> {
  let hasMoved = true;
  while (hasMoved) {
    hasMoved = false;
    for (const line of lines) hasMoved = line.deliverToServer() || hasMoved;
    for (let count = 0; count < turns; count += 1) await turn();
    for (const line of lines) hasMoved = line.deliverToClient() || hasMoved;
  }
}

/** A client that says what its test says. Frames wait until `flush`. */
export interface SocketPair {
  /** A message in the array form of version 2. */
  send(...message: unknown[]): void;
  /** As it stands: text, or bytes. */
  write(data: WireData): void;
  /** Moves everything that waits, both ways, and gives what the client got since the last time. */
  flush(): Promise<unknown[]>;
  /** The client goes without a word. */
  drop(): void;
  /** Why the server closed; undefined while it is open. */
  readonly closeCode: number | undefined;
}

/** Opens a connection to `sockets` in memory. `turns`: of the event loop, that an answer takes at the most. @throws Error where the server refuses it. */
export async function createSocketPair(
  sockets: Sockets,
  options: { query?: Record<string, string>; authToken?: string; turns?: number } = {},
): Promise<SocketPair> {
  const query = new URLSearchParams({ vsn: "2.0.0", ...options.query });
  const line = new Line(sockets, query, options.authToken);
  let received: unknown[] = [];
  line.onMessage = (data) => received.push(typeof data === "string" ? JSON.parse(data) : Buffer.from(data));
  if (!(await line.open())) throw new Error("the server refused the connection");
  return {
    send: (...message) => line.write(JSON.stringify(message)),
    write: (data) => line.write(data),
    async flush() {
      await flushAll([line], options.turns ?? 1);
      const got = received;
      received = [];
      return got;
    },
    drop: () => line.drop(1006),
    get closeCode() {
      return line.closeCode;
    },
  };
}

const STATES = { connecting: 0, open: 1, closed: 3 };

/** `transport` of the npm client's Socket, with its frames moved by hand. */
export interface PairedClients {
  transport: new (url: string) => object;
  flush(): Promise<void>;
  /** Cuts the lines of all clients, as a network does. */
  cut(): void;
}

/** Lets npm clients talk to `sockets` without a network. Tokens travel in the query. */
export function createPairedClients(sockets: Sockets, turns = 1): PairedClients {
  const lines = new Set<Line>();

  class PairedTransport {
    readonly bufferedAmount = 0;
    readyState = STATES.connecting;
    onopen: () => void = () => undefined;
    onmessage: (event: { data: string | ArrayBuffer }) => void = () => undefined;
    onclose: (event: { code: number; reason: string; wasClean: boolean }) => void = () => undefined;
    readonly #line: Line;

    constructor(url: string) {
      this.#line = new Line(sockets, new URL(url, "ws://test").searchParams, undefined);
      lines.add(this.#line);
      this.#line.onOpen = () => {
        this.readyState = STATES.open;
        this.onopen();
      };
      this.#line.onMessage = (data) =>
        this.onmessage({ data: typeof data === "string" ? data : new Uint8Array(data).buffer });
      this.#line.onClose = (code) => {
        lines.delete(this.#line);
        this.readyState = STATES.closed;
        this.onclose({ code, reason: "", wasClean: code !== 1006 });
      };
      // The client sets its listeners after it has made the transport.
      queueMicrotask(() => void this.#line.open());
    }

    send(data: string | ArrayBuffer): void {
      this.#line.write(typeof data === "string" ? data : new Uint8Array(data));
    }

    close(code = 1000): void {
      this.#line.drop(code);
    }
  }

  return {
    transport: PairedTransport,
    flush: () => flushAll(lines, turns),
    cut() {
      for (const line of lines) line.drop(1006);
    },
  };
}
