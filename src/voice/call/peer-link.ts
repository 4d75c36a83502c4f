import type { LinkPhase } from "./room-state.ts";

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

/** After an answer a connection has so long to come about. */
const CONNECT_MS = 6000;
/** An offer without an answer: the other browser may be busy, or on its way. */
const ANSWER_MS = 8000;
/** Connections that are made anew by themselves; then the person decides. */
const MAX_ATTEMPTS = 4;
/** A path that is gone for so long may have no other end any more: the link is made anew. */
const LOST_MS = 20_000;
/** An offer on a connection that stands, and no answer to it. Less than `RESTART_MS`: else every second restart did nothing. */
const LOST_OFFER_MS = 3000;
/** The other one may begin anew so often. */
const RENEW_MS = 1500;
/** While the path is gone, ICE is restarted this often. */
const RESTART_MS = 4000;

const SILENT_FAULTS: ReadonlySet<string> = new Set(["InvalidStateError", "OperationError"]);

/**
 * The connection to one other browser. Each attempt is a connection of its own with a number, the epoch: what was said of an
 * earlier one is dropped. A lost path is looked for again on the same connection, which keeps its sound.
 */
export class PeerLink {
  #parts: LinkParts;
  #epoch: number;
  /** When the last offer went out, and when the other one began anew: of its own clock, in milliseconds. */
  #offeredAt = 0;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #attempts = 0;
  #connection: RTCPeerConnection | undefined;
  #sender: RTCRtpSender | undefined;
  #phase: LinkPhase = "none";
  /** The one whose offer is being made. */
  #offering: RTCPeerConnection | undefined;
  /** Candidates that came before the description they belong to. */
  #early: RTCIceCandidateInit[] = [];
  #watch: ReturnType<typeof setTimeout> | undefined;
  #restart: ReturnType<typeof setInterval> | undefined;
  /** Steps on one connection run one after the other. One that is closed in the middle of a step never ends it. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#epoch = parts.firstEpoch ?? 0;
  }

  get phase(): LinkPhase {
    return this.#phase;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** A connection that is made, or was. */
  get isAlive(): boolean {
    return this.#phase === "connected" || this.#phase === "lost";
  }

  /** Begins, or begins again from nothing. */
  connect(): void {
    this.#attempts = 0;
    this.#attempt();
  }

  /** Waits for the other one's offer, for as long as a link may take; then tries by itself. */
  expect(): void {
    this.#setPhase("connecting");
    this.#watchFor(ANSWER_MS + CONNECT_MS, () => this.#attempt());
  }

  #attempt(): void {
    if (this.#attempts >= MAX_ATTEMPTS) {
      this.#dropConnection();
      this.#setPhase("unreachable");
      return;
    }
    this.#attempts += 1;
    this.#epoch += 1;
    if (!this.#open(true)) return;
    this.#setPhase("connecting");
    this.#watchFor(ANSWER_MS, () => this.#attempt());
    this.#run(async (connection) => {
      const [transceiver] = connection.getTransceivers();
      if (!transceiver) return;
      this.#sender = transceiver.sender;
      await Promise.all([transceiver.sender.replaceTrack(this.#parts.track()), this.#offer(connection)]);
    });
  }

  /** @returns undefined where the browser makes no more. */
  #open(isOffer: boolean): RTCPeerConnection | undefined {
    this.#dropConnection();
    try {
      return this.#create(isOffer);
    } catch (error) {
      console.warn("A voice link could not be made.", error);
      this.#setPhase("unreachable");
      return undefined;
    }
  }

  #create(isOffer: boolean): RTCPeerConnection {
    const connection = this.#parts.createConnection(toConfiguration(this.#parts.settings()), isOffer);
    this.#connection = connection;
    connection.onicecandidate = ({ candidate }) => candidate && this.#sendCandidate(candidate);
    connection.ontrack = ({ track }) => this.#parts.onTrack(track);
    connection.onconnectionstatechange = () => this.#follow(connection);
    return connection;
  }

  #sendCandidate({ candidate, sdpMid, sdpMLineIndex }: RTCIceCandidate): void {
    const { epoch } = this;
    const at = { sdp_mid: sdpMid, sdp_mline_index: sdpMLineIndex };
    this.#parts.send({ event: "ice-candidate", candidate, ...at, epoch });
  }

  /** Runs a step on the connection that is there when its turn comes; one that was dropped meanwhile is left alone. */
  #run(step: (connection: RTCPeerConnection) => Promise<void>): void {
    const connection = this.#connection;
    this.#work = this.#work.then(async () => {
      if (!connection || connection !== this.#connection) return;
      try {
        await step(connection);
      } catch (error) {
        // A connection that was closed in the middle of a step. Whatever else it is, the watchdog makes a new one.
        if (connection === this.#connection && !SILENT_FAULTS.has((error as Error).name))
          console.warn("A step of a voice link failed.", error);
      }
    });
  }

  async #offer(connection: RTCPeerConnection): Promise<void> {
    this.#offering = connection;
    try {
      await connection.setLocalDescription();
      this.#offeredAt = performance.now();
      const offer = connection.localDescription;
      if (offer && connection === this.#connection)
        this.#parts.send({ event: "offer", offer: { type: offer.type, sdp: offer.sdp }, epoch: this.#epoch });
    } finally {
      if (this.#offering === connection) this.#offering = undefined;
    }
  }

  /** What the other browser says. An epoch that a client of the documented protocol leaves out counts as the present one. */
  take(message: {
    event: LinkMessage["event"];
    description?: RTCSessionDescriptionInit;
    candidate?: RTCIceCandidateInit;
    epoch: number | undefined;
  }): void {
    const { event, description, candidate } = message;
    if (event === "offer" && description) this.#takeOffer(description, message.epoch);
    else if (message.epoch !== undefined && message.epoch !== this.#epoch) return;
    else if (event === "answer" && description) this.#takeAnswer(description);
    else if (candidate) this.#takeCandidate(candidate);
  }

  #takeOffer(
    offer: RTCSessionDescriptionInit,
    epoch = this.#connection ? this.#epoch : this.#epoch + 1,
  ): void {
    if (epoch < this.#epoch) return;
    const isNew = epoch > this.#epoch || !this.#connection;
    // One that was never answered may never have arrived.
    const hasOpenOffer = this.#offering !== undefined || (this.isOfferOpen && !this.#isOfferLost);
    // Two offers crossed: the one of who offers by rule counts.
    if (!isNew && hasOpenOffer && this.#parts.isOfferer) return;
    if (isNew || (hasOpenOffer && !this.isAlive)) {
      // A browser has room for some hundred connections, and nobody may use them up.
      const now = performance.now();
      if (isNew && this.#connection && now - this.#renewedAt < RENEW_MS) return;
      this.#renewedAt = now;
      this.#epoch = epoch;
      if (!this.#open(false)) return;
      this.#setPhase("connecting");
    }
    if (!this.isAlive) this.#watchFor(CONNECT_MS, () => this.#attempt());
    this.#run(async (connection) => {
      await connection.setRemoteDescription(offer);
      // Not addTransceiver: that would be a second one, and the sound would go one way.
      const [transceiver] = connection.getTransceivers();
      if (!transceiver) return;
      transceiver.direction = "sendrecv";
      this.#sender = transceiver.sender;
      const hasTrack = transceiver.sender.replaceTrack(this.#parts.track());
      await connection.setLocalDescription();
      const answer = connection.localDescription;
      if (answer && connection === this.#connection)
        this.#parts.send({
          event: "answer",
          answer: { type: answer.type, sdp: answer.sdp },
          epoch: this.#epoch,
        });
      await Promise.all([hasTrack, this.#addEarly(connection)]);
    });
  }

  /** Nobody has answered yet. */
  get isOfferOpen(): boolean {
    return this.#connection?.signalingState === "have-local-offer";
  }

  get #isOfferLost(): boolean {
    return performance.now() - this.#offeredAt > LOST_OFFER_MS;
  }

  #takeAnswer(answer: RTCSessionDescriptionInit): void {
    this.#run(async (connection) => {
      if (connection.signalingState !== "have-local-offer") return;
      await connection.setRemoteDescription(answer);
      if (!this.isAlive) this.#watchFor(CONNECT_MS, () => this.#attempt());
      await this.#addEarly(connection);
    });
  }

  #takeCandidate(candidate: RTCIceCandidateInit): void {
    this.#run(async (connection) => {
      if (!connection.remoteDescription) this.#early.push(candidate);
      else await connection.addIceCandidate(candidate);
    });
  }

  async #addEarly(connection: RTCPeerConnection): Promise<void> {
    await Promise.all(this.#early.splice(0).map((candidate) => connection.addIceCandidate(candidate)));
  }

  #follow(connection: RTCPeerConnection): void {
    if (connection !== this.#connection) return;
    switch (connection.connectionState) {
      case "connected":
        this.found();
        // Not before: it would hold up the way to the first sound.
        this.changeBitrate();
        break;
      case "disconnected":
        this.lose();
        break;
      case "failed":
        if (this.#phase === "connected") this.lose();
        else if (this.#phase === "lost") this.#restartNow();
        else this.#attempt();
        break;
      default:
    }
  }

  /** The path is there: also said by whoever sees sound arrive again. */
  found(): void {
    clearTimeout(this.#watch);
    clearInterval(this.#restart);
    this.#restart = undefined;
    this.#attempts = 0;
    this.#setPhase("connected");
  }

  /** The path is gone: said by the connection, late, or by whoever misses the other one's sound. */
  lose(): void {
    if (this.#phase !== "connected") return;
    this.#setPhase("lost");
    this.#watchFor(LOST_MS, () => this.connect());
    this.#restartNow();
    this.#restart ??= setInterval(() => this.#restartNow(), RESTART_MS);
  }

  /** Looks for another path between the same two, with what relays are good by now. */
  #restartNow(): void {
    this.#run(async (connection) => {
      if (this.isOfferOpen && this.#isOfferLost) await connection.setLocalDescription({ type: "rollback" });
      if (connection.signalingState !== "stable") return;
      connection.setConfiguration(toConfiguration(this.#parts.settings()));
      connection.restartIce();
      await this.#offer(connection);
    });
  }

  /** Signalling came back, here or there: what was said meanwhile was lost, and nobody answers it. */
  lookAgain(): void {
    if (this.#phase === "lost" || this.#phase === "unreachable" || this.isOfferOpen) this.checkPath();
  }

  /** Another network, or other settings of the way there: whatever stands, or is on its way, was made for the former ones. */
  checkPath(): void {
    this.#offeredAt = Number.NEGATIVE_INFINITY;
    if (this.isAlive) this.#restartNow();
    else if (this.#phase === "unreachable" || this.#connection) this.connect();
  }

  /** Sends what `track()` gives by now. */
  async changeTrack(): Promise<void> {
    const sender = this.#sender;
    if (!sender) return;
    await sender.replaceTrack(this.#parts.track()).catch((error: Error) => {
      // Closed meanwhile.
      if (!SILENT_FAULTS.has(error.name)) throw error;
    });
  }

  async #applyBitrate(): Promise<void> {
    const sender = this.#sender;
    if (!sender) return;
    const parameters = sender.getParameters();
    const [encoding] = parameters.encodings;
    if (!encoding) return;
    encoding.maxBitrate = this.#parts.settings().maxBitrate;
    await sender.setParameters(parameters);
  }

  changeBitrate(): void {
    this.#run(() => this.#applyBitrate());
  }

  /** Undefined while nothing is connected. */
  getStats(): Promise<RTCStatsReport> | undefined {
    return this.#connection?.getStats();
  }

  /** What was played last, of the last ten seconds: its level (0 to 1), and a time that moves on with each packet. */
  getPlayed(): { level: number; rtpTimestamp: number } | undefined {
    const receiver = this.#connection?.getReceivers()[0];
    const [source] = receiver?.getSynchronizationSources() ?? [];
    return source && { level: source.audioLevel ?? 0, rtpTimestamp: source.rtpTimestamp };
  }

  /** As the two descriptions have them: this browser's, then the other's. */
  getFingerprints(): string[] {
    const read = (description: RTCSessionDescription | null | undefined) =>
      /^a=fingerprint:(.+)$/m.exec(description?.sdp ?? "")?.[1]?.trim();
    const { localDescription, remoteDescription } = this.#connection ?? {};
    return [read(localDescription), read(remoteDescription)].filter((found) => found !== undefined);
  }

  #watchFor(ms: number, run: () => void): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(run, ms);
  }

  #setPhase(phase: Exclude<LinkPhase, "none">): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#parts.onPhase(phase);
  }

  #dropConnection(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#offering = undefined;
    this.#work = Promise.resolve();
    this.#sender = undefined;
    this.#early = [];
    clearTimeout(this.#watch);
    clearInterval(this.#restart);
    this.#restart = undefined;
    if (!connection) return;
    connection.onicecandidate = null;
    connection.ontrack = null;
    connection.onconnectionstatechange = null;
    connection.close();
  }

  close(): void {
    this.#dropConnection();
    this.#phase = "none";
  }
}
