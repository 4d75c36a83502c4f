import type { LinkPhase } from "../room-state.ts";
import { type LinkDeps, type LinkMessage, PeerConnection } from "./peer-connection.ts";

/** After an answer a connection has so long to come about. */
const CONNECT_MS = 6000;
/** An offer without an answer: the other browser may be busy, or on its way. */
const ANSWER_MS = 8000;
/** Connections that are made anew by themselves; then the person decides. */
const MAX_ATTEMPTS = 4;
/** A path that is gone for so long may have no other end any more: the link is made anew. */
const LOST_MS = 20_000;
/** The other one may begin anew so often. */
const RENEW_MS = 1500;
/** While the path is gone, ICE is restarted this often. */
const RESTART_MS = 4000;

/**
 * The connection to one other browser. Each attempt is a connection of its own with a number, the epoch: what was said of an
 * earlier one is dropped. A lost path is looked for again on the same connection, which keeps its sound.
 */
export class PeerLink {
  #deps: LinkDeps;
  #epoch: number;
  /** When the other one began anew: of the page's own clock, in milliseconds. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #attempts = 0;
  #connection: PeerConnection | undefined;
  #phase: LinkPhase = "none";
  #watch: ReturnType<typeof setTimeout> | undefined;
  #restart: ReturnType<typeof setInterval> | undefined;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
    this.#epoch = deps.firstEpoch ?? 0;
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
    const connection = this.#open(true);
    if (!connection) return;
    this.#setPhase("connecting");
    this.#watchFor(ANSWER_MS, () => this.#attempt());
    connection.begin();
  }

  /** @returns undefined where the browser makes no more. */
  #open(isOffer: boolean): PeerConnection | undefined {
    this.#dropConnection();
    try {
      this.#connection = new PeerConnection(this.#deps, this.#epoch, isOffer, {
        onState: (state) => this.#follow(state),
        onAnswer: () => this.#watchConnecting(),
      });
    } catch (error) {
      console.warn("A voice link could not be made.", error);
      this.#setPhase("unreachable");
    }
    return this.#connection;
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
    else if (event === "answer" && description) this.#connection?.takeAnswer(description);
    else if (candidate) this.#connection?.takeCandidate(candidate);
  }

  #takeOffer(
    offer: RTCSessionDescriptionInit,
    epoch = this.#connection ? this.#epoch : this.#epoch + 1,
  ): void {
    if (epoch < this.#epoch) return;
    const isNew = epoch > this.#epoch || !this.#connection;
    const isOffering = this.#connection?.isOffering;
    // Two offers crossed: the one of who offers by rule counts.
    if (!isNew && isOffering && this.#deps.isOfferer) return;
    if (isNew || (isOffering && !this.isAlive)) {
      // A browser has room for some hundred connections, and nobody may use them up.
      const now = performance.now();
      if (isNew && this.#connection && now - this.#renewedAt < RENEW_MS) return;
      this.#renewedAt = now;
      this.#epoch = epoch;
      if (!this.#open(false)) return;
      this.#setPhase("connecting");
    }
    this.#watchConnecting();
    this.#connection?.takeOffer(offer);
  }

  /** Both have described themselves, or are about to. */
  #watchConnecting(): void {
    if (!this.isAlive) this.#watchFor(CONNECT_MS, () => this.#attempt());
  }

  #follow(state: RTCPeerConnectionState): void {
    switch (state) {
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
        else if (this.#phase === "lost") this.#connection?.restart();
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
    this.#connection?.restart();
    this.#restart ??= setInterval(() => this.#connection?.restart(), RESTART_MS);
  }

  /** Signalling came back, here or there: what was said meanwhile was lost, and nobody answers it. */
  lookAgain(): void {
    if (this.#phase === "lost" || this.#phase === "unreachable" || this.isOfferOpen) this.checkPath();
  }

  /** Another network, or other settings of the way there: whatever stands, or is on its way, was made for the former ones. */
  checkPath(): void {
    this.#connection?.forgetOffer();
    if (this.isAlive) this.#connection?.restart();
    else if (this.#phase === "unreachable" || this.#connection) this.connect();
  }

  /** Nobody has answered yet. */
  get isOfferOpen(): boolean {
    return this.#connection?.isOfferOpen ?? false;
  }

  async changeTrack(): Promise<void> {
    await this.#connection?.changeTrack();
  }

  changeBitrate(): void {
    this.#connection?.changeBitrate();
  }

  /** Undefined while nothing is connected. */
  getStats(): Promise<RTCStatsReport> | undefined {
    return this.#connection?.getStats();
  }

  getPlayed(): ReturnType<PeerConnection["getPlayed"]> {
    return this.#connection?.getPlayed();
  }

  getFingerprints(): string[] {
    return this.#connection?.getFingerprints() ?? [];
  }

  #watchFor(ms: number, run: () => void): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(run, ms);
  }

  #setPhase(phase: Exclude<LinkPhase, "none">): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#deps.onPhase(phase);
  }

  #dropConnection(): void {
    clearTimeout(this.#watch);
    clearInterval(this.#restart);
    this.#restart = undefined;
    this.#connection?.close();
    this.#connection = undefined;
  }

  close(): void {
    this.#dropConnection();
    this.#phase = "none";
  }
}
