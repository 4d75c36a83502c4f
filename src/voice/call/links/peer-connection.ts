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

export interface LinkDeps {
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

export interface ConnectionEvents {
  onState: (state: RTCPeerConnectionState) => void;
  /** The other one has answered: both descriptions stand. */
  onAnswer: () => void;
}

/** An offer on a connection that stands, and no answer to it. Less than a restart's pace: else every second one did nothing. */
const LOST_OFFER_MS = 3000;

const SILENT_FAULTS: ReadonlySet<string> = new Set(["InvalidStateError", "OperationError"]);

/** One attempt of a link: a connection of the browser, and the steps in which its two ends describe themselves to each other. */
export class PeerConnection {
  readonly #deps: LinkDeps;
  readonly #epoch: number;
  readonly #onAnswer: () => void;
  readonly #connection: RTCPeerConnection;
  #sender: RTCRtpSender | undefined;
  /** When the last offer went out: of the page's own clock, in milliseconds. */
  #offeredAt = Number.NEGATIVE_INFINITY;
  #isOffering = false;
  /** Candidates that came before the description they belong to. */
  #early: RTCIceCandidateInit[] = [];
  /** Steps run one after the other. One whose connection is closed in the middle of it never ends. */
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** Throws where the browser makes no more. */
  constructor(deps: LinkDeps, epoch: number, isOffer: boolean, { onState, onAnswer }: ConnectionEvents) {
    this.#deps = deps;
    this.#epoch = epoch;
    this.#onAnswer = onAnswer;
    const connection = deps.createConnection(toConfiguration(deps.settings()), isOffer);
    this.#connection = connection;
    connection.onicecandidate = ({ candidate }) => candidate && this.#sendCandidate(candidate);
    connection.ontrack = ({ track }) => deps.onTrack(track);
    connection.onconnectionstatechange = () => onState(connection.connectionState);
  }

  #sendCandidate({ candidate, sdpMid, sdpMLineIndex }: RTCIceCandidate): void {
    const at = { sdp_mid: sdpMid, sdp_mline_index: sdpMLineIndex };
    this.#deps.send({ event: "ice-candidate", candidate, ...at, epoch: this.#epoch });
  }

  /** Nobody has answered yet. */
  get isOfferOpen(): boolean {
    return this.#connection.signalingState === "have-local-offer";
  }

  get #isOfferLost(): boolean {
    return performance.now() - this.#offeredAt > LOST_OFFER_MS;
  }

  /** An offer is made, or its answer may be on the way. One that was never answered may never have arrived. */
  get isOffering(): boolean {
    return this.#isOffering || (this.isOfferOpen && !this.#isOfferLost);
  }

  /** An offer that is open counts as lost: the next one need not wait for it. */
  forgetOffer(): void {
    this.#offeredAt = Number.NEGATIVE_INFINITY;
  }

  /** Runs a step when its turn comes, unless the connection was closed meanwhile. */
  #run(step: (connection: RTCPeerConnection) => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed) return;
      try {
        await step(this.#connection);
      } catch (error) {
        // A connection that was closed in the middle of a step. Whatever else it is, the watchdog makes a new one.
        if (!this.#isClosed && !SILENT_FAULTS.has((error as Error).name))
          console.warn("A step of a voice link failed.", error);
      }
    });
  }

  /** The first offer. */
  begin(): void {
    this.#run(async (connection) => {
      const [transceiver] = connection.getTransceivers();
      if (!transceiver) return;
      this.#sender = transceiver.sender;
      await Promise.all([transceiver.sender.replaceTrack(this.#deps.track()), this.#offer(connection)]);
    });
  }

  /** Looks for another path between the same two, with what relays are good by now. */
  restart(): void {
    this.#run(async (connection) => {
      if (this.isOfferOpen && this.#isOfferLost) await connection.setLocalDescription({ type: "rollback" });
      if (connection.signalingState !== "stable") return;
      connection.setConfiguration(toConfiguration(this.#deps.settings()));
      connection.restartIce();
      await this.#offer(connection);
    });
  }

  async #offer(connection: RTCPeerConnection): Promise<void> {
    this.#isOffering = true;
    try {
      await connection.setLocalDescription();
      this.#offeredAt = performance.now();
      const offer = connection.localDescription;
      if (offer && !this.#isClosed)
        this.#deps.send({ event: "offer", offer: { type: offer.type, sdp: offer.sdp }, epoch: this.#epoch });
    } finally {
      this.#isOffering = false;
    }
  }

  takeOffer(offer: RTCSessionDescriptionInit): void {
    this.#run(async (connection) => {
      await connection.setRemoteDescription(offer);
      // Not addTransceiver: that would be a second one, and the sound would go one way.
      const [transceiver] = connection.getTransceivers();
      if (!transceiver) return;
      transceiver.direction = "sendrecv";
      this.#sender = transceiver.sender;
      const hasTrack = transceiver.sender.replaceTrack(this.#deps.track());
      await connection.setLocalDescription();
      const answer = connection.localDescription;
      if (answer && !this.#isClosed)
        this.#deps.send({
          event: "answer",
          answer: { type: answer.type, sdp: answer.sdp },
          epoch: this.#epoch,
        });
      await Promise.all([hasTrack, this.#addEarly(connection)]);
    });
  }

  takeAnswer(answer: RTCSessionDescriptionInit): void {
    this.#run(async (connection) => {
      if (!this.isOfferOpen) return;
      await connection.setRemoteDescription(answer);
      if (this.#isClosed) return;
      this.#onAnswer();
      await this.#addEarly(connection);
    });
  }

  takeCandidate(candidate: RTCIceCandidateInit): void {
    this.#run(async (connection) => {
      if (!connection.remoteDescription) this.#early.push(candidate);
      else await connection.addIceCandidate(candidate);
    });
  }

  async #addEarly(connection: RTCPeerConnection): Promise<void> {
    await Promise.all(this.#early.splice(0).map((candidate) => connection.addIceCandidate(candidate)));
  }

  /** Sends what `track()` gives by now. */
  async changeTrack(): Promise<void> {
    await this.#sender?.replaceTrack(this.#deps.track()).catch((error: Error) => {
      // Closed meanwhile.
      if (!SILENT_FAULTS.has(error.name)) throw error;
    });
  }

  changeBitrate(): void {
    this.#run(async () => {
      const parameters = this.#sender?.getParameters();
      const [encoding] = parameters?.encodings ?? [];
      if (!parameters || !encoding) return;
      encoding.maxBitrate = this.#deps.settings().maxBitrate;
      await this.#sender?.setParameters(parameters);
    });
  }

  getStats(): Promise<RTCStatsReport> {
    return this.#connection.getStats();
  }

  /** What was played last, of the last ten seconds: its level (0 to 1), and a time that moves on with each packet. */
  getPlayed(): { level: number; rtpTimestamp: number } | undefined {
    const [source] = this.#connection.getReceivers()[0]?.getSynchronizationSources() ?? [];
    return source && { level: source.audioLevel ?? 0, rtpTimestamp: source.rtpTimestamp };
  }

  /** As the two descriptions have them: this browser's, then the other's. */
  getFingerprints(): string[] {
    const { localDescription, remoteDescription } = this.#connection;
    return [localDescription, remoteDescription]
      .map((description) => /^a=fingerprint:(.+)$/m.exec(description?.sdp ?? "")?.[1]?.trim())
      .filter((found) => found !== undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#connection.onicecandidate = null;
    this.#connection.ontrack = null;
    this.#connection.onconnectionstatechange = null;
    this.#connection.close();
  }
}
