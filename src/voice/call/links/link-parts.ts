import type { LinkPhase } from "../room-state.ts";

/** One message between the two browsers of a link. */
export type LinkMessage =
  | { event: "offer"; offer: RTCSessionDescriptionInit; epoch: number }
  | { event: "answer"; answer: RTCSessionDescriptionInit; epoch: number }
  | {
      event: "ice-candidate";
      candidate: string;
      sdp_mid: string | null;
      sdp_mline_index: number | null;
      epoch: number;
    };

export interface LinkSettings {
  iceServers: RTCIceServer[];
  /** Only through a relay: the other one doesn't learn this browser's address. */
  isRelayOnly: boolean;
  /** The same for all links of a call, so that one code stands for all of them. */
  certificate: RTCCertificate | undefined;
  /** Bits per second. */
  maxBitrate: number;
}

export interface LinkParts {
  settings: () => LinkSettings;
  /** What is sent now; null: nothing, not one packet. */
  track: () => MediaStreamTrack | null;
  send: (message: LinkMessage) => void;
  onPhase: (phase: Exclude<LinkPhase, "none">) => void;
  /** The other one's sound. */
  onTrack: (track: MediaStreamTrack) => void;
  /** Whoever came later offers, and their offer counts where two cross. */
  isOfferer: boolean;
  /** Epochs of former links to the same browser: a new one begins above. */
  firstEpoch?: number;
  /** With a transceiver where it is to offer on: on an answer's it comes with the offer. Throws where the browser makes no more. */
  createConnection: (configuration: RTCConfiguration, isOffer: boolean) => RTCPeerConnection;
}

export function toConfiguration({ iceServers, isRelayOnly, certificate }: LinkSettings): RTCConfiguration {
  return {
    iceServers,
    iceTransportPolicy: isRelayOnly ? "relay" : "all",
    bundlePolicy: "max-bundle",
    // A pool would ask a relay for an address for each of ten candidates and person.
    iceCandidatePoolSize: 0,
    ...(certificate && { certificates: [certificate] }),
  };
}
