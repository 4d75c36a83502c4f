import { CLOSE } from "./transport.ts";
import type { WebSocketTransport } from "./websocket-transport.ts";

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
