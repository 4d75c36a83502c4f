import type { LinkQuality } from "../room-state.ts";

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
