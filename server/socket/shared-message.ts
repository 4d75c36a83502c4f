import { toFrame } from "./frame.ts";
import type { Broadcast, WireData } from "./message.ts";
import type { Serializer } from "./serializer.ts";
import type { SharedMessage } from "./transport.ts";

/** A broadcast that is encoded when the first receiver of a version needs it, and then kept for the rest. */
class EncodedOnce implements SharedMessage {
  readonly #broadcast: Broadcast;
  readonly #data = new Map<Serializer, WireData>();
  readonly #frames = new Map<Serializer, Buffer>();

  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
  }

  encode(serializer: Serializer): WireData {
    let data = this.#data.get(serializer);
    if (data === undefined) {
      data = serializer.encodeBroadcast(this.#broadcast);
      this.#data.set(serializer, data);
    }
    return data;
  }

  toFrame(serializer: Serializer): Buffer {
    let frame = this.#frames.get(serializer);
    if (frame === undefined) {
      frame = toFrame(this.encode(serializer));
      this.#frames.set(serializer, frame);
    }
    return frame;
  }
}

export function createSharedMessage(broadcast: Broadcast): SharedMessage {
  return new EncodedOnce(broadcast);
}
