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
