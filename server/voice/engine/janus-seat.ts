import type { EngineCandidate, EngineEvents, EngineSeat } from "./engine.ts";
import type { JanusHandle } from "./janus-client.ts";

/** A room at Janus, as its seats need it. */
export interface JanusRoom {
  id: number;
  /** Without it nobody joins. */
  pin: string;
}

export interface JanusSeatDeps {
  isMuted: boolean;
  events: EngineEvents;
  /** The room, made where it wasn't there. @throws JanusError */
  openRoom(): Promise<JanusRoom>;
  attach(onHangup: () => void): Promise<JanusHandle>;
  onLeft(seat: JanusSeat): void;
  /** A step has failed; the browser tries again by itself. */
  onFault(error: unknown): void;
}

/** A browser's connection: a handle is one connection, as an epoch is. */
interface Connected {
  epoch: number;
  handle: JanusHandle;
  isMuted: boolean;
}

/** Only the network that they were made in knows them, and to ask for one takes seconds. */
const isHiddenName = (candidate: string) => / \S+\.local /.test(candidate);

const MUTE_TRIES = 3;

/** One seat at Janus. What belongs to an earlier attempt is dropped; steps run one after the other. */
export class JanusSeat implements EngineSeat {
  readonly #deps: JanusSeatDeps;
  #epoch: number | undefined;
  /** Of a connection that Janus has ended. */
  #endedEpoch: number | undefined;
  #connected: Connected | undefined;
  #isMuted: boolean;
  #isOver = false;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: JanusSeatDeps) {
    this.#deps = deps;
    this.#isMuted = deps.isMuted;
  }

  #run(step: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        await step();
      } catch (error) {
        if (!this.#isOver) this.#deps.onFault(error);
      }
    });
  }

  offer(sdp: string, epoch: number): void {
    this.#epoch = epoch;
    this.#run(async () => {
      // A later attempt was begun meanwhile.
      if (this.#isOver || epoch !== this.#epoch) return;
      if (epoch === this.#endedEpoch) {
        this.#deps.events.onLost();
        return;
      }
      const jsep = { type: "offer", sdp } as const;
      const isMuted = this.#isMuted;
      const known = this.#connected;
      const answer =
        known?.epoch === epoch
          ? await known.handle.ask({ request: "configure", muted: isMuted }, jsep)
          : await this.#join(epoch, isMuted, jsep);
      if (answer?.jsep && epoch === this.#epoch && !this.#isOver)
        this.#deps.events.onAnswer(answer.jsep.sdp, epoch);
      await this.#sendMuted();
    });
  }

  async #join(epoch: number, isMuted: boolean, jsep: { type: "offer"; sdp: string }) {
    this.#disconnect();
    const { id, pin } = await this.#deps.openRoom();
    const handle = await this.#deps.attach(() => this.#hungUp(handle));
    if (this.#isOver) {
      void handle.detach();
      return undefined;
    }
    this.#connected = { epoch, handle, isMuted };
    return handle.ask({ request: "join", room: id, pin, muted: isMuted }, jsep);
  }

  candidate({ candidate, sdpMid, sdpMLineIndex }: EngineCandidate, epoch: number): void {
    if (isHiddenName(candidate)) return;
    this.#run(async () => {
      if (this.#connected?.epoch !== epoch) return;
      this.#connected.handle.trickle(
        candidate === "" ? { completed: true } : { candidate, sdpMid, sdpMLineIndex },
      );
    });
  }

  setMuted(isMuted: boolean): void {
    if (isMuted === this.#isMuted) return;
    this.#isMuted = isMuted;
    this.#run(() => this.#sendMuted());
  }

  async #sendMuted(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const connected = this.#connected;
      const isMuted = this.#isMuted;
      if (!connected || connected.isMuted === isMuted) return;
      try {
        await connected.handle.ask({ request: "configure", muted: isMuted });
        connected.isMuted = isMuted;
      } catch (error) {
        // A mute that Janus has not taken would be heard.
        if (tries >= MUTE_TRIES) throw error;
      }
    }
  }

  /**
   * Janus has ended the connection. A browser that ended it itself is about to offer another one, or is gone; any other misses
   * the sound, and learns of it when it asks for another path.
   */
  #hungUp(handle: JanusHandle): void {
    if (this.#connected?.handle !== handle) return;
    this.#endedEpoch = this.#connected.epoch;
    this.#disconnect();
  }

  /** Janus has forgotten everything, and is back. A browser that has never offered is about to. */
  forgotten(): void {
    this.#connected = undefined;
    if (this.#epoch !== undefined) this.#deps.events.onLost();
  }

  #disconnect(): void {
    const connected = this.#connected;
    this.#connected = undefined;
    void connected?.handle.detach();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // Not behind the steps that wait: who is removed is silent now.
    this.#disconnect();
    this.#deps.onLeft(this);
  }
}
