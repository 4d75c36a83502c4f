import type { Participant } from "#contract/voice/room-channel.ts";
import type { LinkPhase, LinkQuality } from "../room-state.ts";
import type { Speaker } from "../sound/speaker.ts";
import type { LinkDeps, LinkMessage, LinkSettings } from "./peer-connection.ts";
import type { PeerLink } from "./peer-link.ts";

/** A message to another browser, or to the server's engine, as the channel takes it. */
export type OutgoingMessage = LinkMessage & { target_user_id: string };

/** What a call's connections need of it. */
export interface LinksDeps {
  settings: () => LinkSettings;
  track: () => MediaStreamTrack | null;
  send: (message: OutgoingMessage) => void;
  speaker: Speaker;
  onLink: (userId: string, phase: LinkPhase) => void;
  onQuality: (userId: string, quality: LinkQuality) => void;
  /** Whom this browser hears, whenever that changes. */
  onHearing: (userIds: readonly string[]) => void;
  /** 0 to 2; how the listener has set this person. */
  volumeOf: (userId: string) => number;
  isMutedForMe: (userId: string) => boolean;
  /** Nothing passes between these two. */
  isBlocked: (userId: string) => boolean;
  createLink: (deps: Omit<LinkDeps, "createConnection">) => PeerLink;
  now?: () => number;
}

/** How a call's sound comes and goes: with each other browser (`Mesh`), or mixed on the server (`Mixer`). */
export interface Links {
  /**
   * Everybody who is there, by the server. `isBack`: behind a lost connection, when the server itself may be new. `isPartial`: others may
   * be there too, for as long as no other roster comes.
   */
  takeRoster(
    participants: readonly Participant[],
    participantId: string,
    isBack: boolean,
    isPartial?: boolean,
  ): void;
  /** Somebody who is there, new or known. */
  add(participant: Participant): void;
  has(userId: string): boolean;
  /** `participantId`: a seat; a newer one of the same person stays. */
  remove(userId: string, participantId?: string): void;
  /** What the other end of a link says. */
  take(
    from: { userId: string; participantId: string | undefined },
    message: Parameters<PeerLink["take"]>[0],
  ): void;
  /** What goes out is another track now, or none. Resolves when every link has it. */
  changeTrack(): Promise<void>;
  changeBitrate(): void;
  /** The listener's own settings of a person have changed. */
  changeVolume(userId: string): void;
  /** Others' states, as the server sends them: whether packets are to be expected. */
  changeState(userId: string, state: Partial<Pick<Participant, "is_speaking" | "is_muted">>): void;
  /** The network or the server has changed under the links. */
  checkPaths(): void;
  /** From nothing, because somebody asks for it. */
  retry(userId: string): void;
  /** Levels of the others, 0 to 1, and what follows from whether packets come. Ten times a second. */
  measure(): ReadonlyMap<string, number>;
  /** Figures of all links, and whom this browser hears. Every two seconds. */
  report(): Promise<void>;
  reportHearing(): void;
  /** The server has forgotten, or never knew. */
  forgetHearing(): void;
  /** Fingerprints of everybody here, each once; undefined while a link is not there, or where they say nothing. */
  listFingerprints(): string[] | undefined;
  close(): void;
}

/** What is read of a link's statistics (W3C webrtc-stats). */
export interface LinkFigures {
  packetsReceived: number;
  packetsLost: number;
  roundTripMs: number | undefined;
  /** Through a relay, of this browser's or the other's. */
  isRelayed: boolean;
}

interface Row {
  type: string;
  kind?: string;
  packetsReceived?: number;
  packetsLost?: number;
  nominated?: boolean;
  state?: string;
  currentRoundTripTime?: number;
  localCandidateId?: string;
  remoteCandidateId?: string;
  candidateType?: string;
}

export function readFigures(stats: RTCStatsReport): LinkFigures {
  const figures: LinkFigures = {
    packetsReceived: 0,
    packetsLost: 0,
    roundTripMs: undefined,
    isRelayed: false,
  };
  const isRelay = (id = "") => (stats.get(id) as Row | undefined)?.candidateType === "relay";
  stats.forEach((row: Row) => {
    if (row.type === "inbound-rtp" && row.kind === "audio") {
      figures.packetsReceived += row.packetsReceived ?? 0;
      figures.packetsLost += row.packetsLost ?? 0;
    } else if (row.type === "candidate-pair" && row.nominated && row.state === "succeeded") {
      const { currentRoundTripTime } = row;
      figures.isRelayed = isRelay(row.localCandidateId) || isRelay(row.remoteCandidateId);
      if (currentRoundTripTime !== undefined) figures.roundTripMs = Math.round(currentRoundTripTime * 1000);
    }
  });
  return figures;
}

/** Of the time between two readings. */
export function toQuality(
  now: LinkFigures,
  before: LinkFigures | undefined,
  firstAudioMs: number | undefined,
): LinkQuality {
  const lost = Math.max(0, now.packetsLost - (before?.packetsLost ?? 0));
  const received = Math.max(0, now.packetsReceived - (before?.packetsReceived ?? 0));
  const lossPercent = lost + received === 0 ? 0 : Math.round((1000 * lost) / (lost + received)) / 10;
  return {
    firstAudioMs: firstAudioMs === undefined ? undefined : Math.round(firstAudioMs),
    lossPercent,
    roundTripMs: now.roundTripMs,
    isRelayed: now.isRelayed,
  };
}
