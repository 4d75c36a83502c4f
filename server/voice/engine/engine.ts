import type { Finding } from "#server/health/service.ts";

/** A line of ICE as a browser trickles it; "" says that no more will come. */
export interface EngineCandidate {
  candidate: string;
  sdpMid: string | null;
  sdpMLineIndex: number | null;
}

/**
 * One browser's place in the mix. Nothing here is answered at once: what comes of it comes by `EngineEvents`, and what goes
 * wrong the browser finds out by itself, as with another browser that doesn't answer.
 */
export interface EngineSeat {
  /** `epoch` counts the browser's attempts: another one is another connection, the same one looks for another path. */
  offer(sdp: string, epoch: number): void;
  candidate(candidate: EngineCandidate, epoch: number): void;
  /** Holds whatever the browser sends. */
  setMuted(isMuted: boolean): void;
  /** Its connection ends at once. */
  leave(): void;
}

export interface EngineEvents {
  onAnswer(sdp: string, epoch: number): void;
  /** The engine has lost the seat's connection, and takes a new one: the browser has to begin anew. */
  onLost(): void;
}

/**
 * What mixes the sound of rooms with `engine: "mix"`. A mesh has none: there, browsers connect to each other, and the server
 * passes their messages on. Who may be in a room, and who is muted, is decided before an engine is asked.
 */
export interface RoomEngine {
  /** Whether rooms can be entered now. Waits a moment for an engine that is being reached. */
  isReachable(): Promise<boolean>;
  /** `roomId`: the public id. Nothing is opened for it before its first offer. */
  join(roomId: string, isMuted: boolean, events: EngineEvents): EngineSeat;
  /** For the health page. */
  check(): Promise<Finding>;
  close(): Promise<void>;
}
