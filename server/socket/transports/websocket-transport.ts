import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Serializer, WireData } from "../serializer.ts";
import type { Connection } from "../sockets.ts";
import { CLOSE, type CloseCode, type SharedMessage, type Transport, toFrame } from "../transport.ts";

/** Whatever has frames to write. */
interface Flushable {
  flush(): void;
}

/** Writes what all WebSockets queued in one turn of the event loop, at its end. */
export class WebSocketFlush {
  #waiting: Flushable[] = [];
  readonly #run = () => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.flush();
  };

  add(one: Flushable): void {
    if (this.#waiting.push(one) === 1) setImmediate(this.#run);
  }
}

/** The `ws` end of a client. It reads, answers pings and does the closing handshake; what is sent is the transport's. */
export class ServerWebSocket extends WebSocket {
  /** Set as soon as the upgrade is done, before the first message is read. */
  transport: WebSocketTransport | undefined;

  /** `ws` answers a client's close through this, and with the client's own code and reason; Phoenix answers 1000. */
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code === undefined || reason !== undefined ? CLOSE.normal : code);
  }
}

/** One client's WebSocket. Frames of one turn of the event loop leave in one write. */
export class WebSocketTransport implements Transport {
  /** Undefined between the upgrade and `Sockets.open`. */
  connection: Connection | undefined;
  /** Sweeps since the last message of the client. */
  silentSweeps = 0;
  readonly socket: Socket;
  readonly #webSocket: ServerWebSocket;
  readonly #serializer: Serializer;
  readonly #flush: WebSocketFlush;
  readonly #maxBufferedBytes: number;
  #frames: Buffer[] = [];
  #queuedBytes = 0;

  constructor(
    webSocket: ServerWebSocket,
    socket: Socket,
    serializer: Serializer,
    flush: WebSocketFlush,
    maxBufferedBytes: number,
  ) {
    this.#webSocket = webSocket;
    this.socket = socket;
    this.#serializer = serializer;
    this.#flush = flush;
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  send(data: WireData): void {
    if (this.#isOpen) this.#queue(toFrame(data));
  }

  sendShared(message: SharedMessage): void {
    if (this.#isOpen) this.#queue(message.toFrame(this.#serializer));
  }

  close(code: CloseCode): void {
    if (!this.#isOpen) return;
    this.flush();
    this.#webSocket.close(code);
  }

  /** Writes what was queued. Behind a close frame nothing may follow (RFC 6455, 5.5.1). */
  flush(): void {
    const frames = this.#frames;
    const [first] = frames;
    if (first === undefined) return;
    const bytes = this.#queuedBytes;
    this.#frames = [];
    this.#queuedBytes = 0;
    if (this.#isOpen) this.socket.write(frames.length === 1 ? first : Buffer.concat(frames, bytes));
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === WebSocket.OPEN && this.socket.writable;
  }

  #queue(frame: Buffer): void {
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes + this.socket.writableLength > this.#maxBufferedBytes) {
      this.#cutOff();
      return;
    }
    if (this.#frames.push(frame) === 1) this.#flush.add(this);
  }

  /** Its channels end with the socket's `close` event, not here: this may be the middle of a broadcast to them. */
  #cutOff(): void {
    this.#frames = [];
    this.#queuedBytes = 0;
    this.socket.destroy();
  }
}

/** A client is closed at most a twentieth of the time too late. */
const SWEEPS = 20;

/**
 * Closes clients that said nothing for too long, all with one timer. It counts its own runs instead of reading a clock, so a
 * process that was held up doesn't take everybody for idle.
 */
export class WebSocketSweep {
  readonly #transports: ReadonlySet<WebSocketTransport>;
  readonly #everyMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(transports: ReadonlySet<WebSocketTransport>, idleTimeoutMs: number) {
    this.#transports = transports;
    this.#everyMs = idleTimeoutMs / SWEEPS;
  }

  /** Runs as long as there are clients. */
  start(): void {
    this.#timer ??= setInterval(() => this.#sweep(), this.#everyMs).unref();
  }

  #sweep(): void {
    for (const transport of this.#transports) {
      transport.silentSweeps += 1;
      // The first sweep comes at any moment after the message.
      if (transport.silentSweeps <= SWEEPS) continue;
      transport.close(CLOSE.protocol);
      transport.connection?.end();
    }
    if (this.#transports.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
