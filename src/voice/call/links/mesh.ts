import type { Participant } from "#contract/voice/room-channel.ts";
import type { Voice } from "../sound/speaker.ts";
import { type LinkFigures, type Links, type LinksDeps, readFigures, toQuality } from "./links.ts";
import type { PeerLink } from "./peer-link.ts";

interface Peer {
  participant: Participant;
  link: PeerLink;
  voice: Voice | undefined;
  /** When the link was begun, their first sound was played, and their last packet. */
  begunAt: number;
  firstAudioMs: number | undefined;
  rtpTimestamp: number | undefined;
  packetAt: number;
  /** 0 to 1, as it was asked last. */
  level: number;
  figures: LinkFigures | undefined;
  /** Since when they are missing in a roster that came behind a loss; in a partial one they are kept for as long as their link stands. */
  missingSince: number | undefined;
}

/** Somebody who speaks sends fifty packets in a second: none for so long means that the path is gone. */
const STALL_MS = 2000;

/** Who offers to whom. Behind a restart two may have the same number: then their seats settle it, on both sides alike. */
function comesLater(me: { participantId: string; joinNumber: number }, other: Participant): boolean {
  if (me.joinNumber !== other.join_number) return me.joinNumber > other.join_number;
  return me.participantId > other.id;
}

const ASKED_AT_ONCE = 3;

/** Links take less than this to come about. */
const DEAF_MS = 3000;
/** A restart of the server empties its rosters: people come back one by one. */
export const RETURN_MS = 10_000;

/** One's links to all others of a room. */
export class Mesh implements Links {
  readonly #deps: LinksDeps;
  readonly #peers = new Map<string, Peer>();
  readonly #now: () => number;
  /** Of links that are gone, by the other's seat: a new one to the same browser counts on from there. */
  readonly #epochs = new Map<string, number>();
  #me: { participantId: string; joinNumber: number } | undefined;
  #isPartial = false;
  #tick = 0;
  /** As it was published last; undefined: not yet, or the server may have forgotten. */
  #hearing: string | undefined;

  constructor(deps: LinksDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  takeRoster(
    participants: readonly Participant[],
    participantId: string,
    isBack: boolean,
    isPartial = false,
  ): void {
    this.#isPartial = isPartial;
    const own = participants.find(({ id }) => id === participantId);
    this.#me = { participantId, joinNumber: own?.join_number ?? 0 };
    const others = participants.filter(({ user_id }) => user_id !== own?.user_id);
    const present = new Set(others.map(({ user_id }) => user_id));
    for (const [userId, peer] of this.#peers) {
      if (present.has(userId)) continue;
      if (isBack && peer.link.isAlive) peer.missingSince = this.#now();
      else this.remove(userId, peer.participant.id);
    }
    for (const participant of others) this.add(participant);
    // Healthy links are left alone; those that looked for a path had nobody to say it to.
    if (isBack) for (const { link } of this.#peers.values()) link.lookAgain();
  }

  add(participant: Participant): void {
    const { user_id, id } = participant;
    const known = this.#peers.get(user_id);
    if (known?.participant.id === id) {
      known.participant = participant;
      // Back behind a restart: what was sent about them before, the server could assign to nobody.
      if (known.missingSince !== undefined) this.forgetHearing();
      known.missingSince = undefined;
      // Back on the channel, maybe: what was offered them while they were away did not arrive.
      if (known.link.phase === "lost" && known.link.isOfferOpen) known.link.lookAgain();
      this.#applyVolume(known);
      return;
    }
    if (known) this.remove(user_id, known.participant.id);
    if (!this.#me || this.#deps.isBlocked(user_id)) return;
    const isOfferer = comesLater(this.#me, participant);
    const peer = this.#createPeer(participant, isOfferer);
    this.#peers.set(user_id, peer);
    if (isOfferer) peer.link.connect();
    else peer.link.expect();
  }

  #createPeer(participant: Participant, isOfferer: boolean): Peer {
    const { settings, track, send, onLink } = this.#deps;
    const userId = participant.user_id;
    const link = this.#deps.createLink({
      settings,
      track,
      isOfferer,
      firstEpoch: this.#epochs.get(participant.id) ?? 0,
      send: (message) => send({ ...message, target_user_id: userId }),
      onPhase: (phase) => {
        if (phase === "lost") this.#forgetPlayed(userId);
        onLink(userId, phase);
      },
      onTrack: (received) => this.#play(userId, received),
    });
    return {
      participant,
      link,
      voice: undefined,
      begunAt: this.#now(),
      firstAudioMs: undefined,
      rtpTimestamp: undefined,
      packetAt: this.#now(),
      level: 0,
      figures: undefined,
      missingSince: undefined,
    };
  }

  #play(userId: string, track: MediaStreamTrack): void {
    const peer = this.#peers.get(userId);
    if (!peer) return;
    peer.voice?.close();
    peer.voice = this.#deps.speaker.play(track);
    this.#applyVolume(peer);
  }

  #applyVolume({ participant, voice }: Peer): void {
    const { volumeOf, isMutedForMe } = this.#deps;
    voice?.setVolume(volumeOf(participant.user_id));
    voice?.setSilenced(participant.is_silenced || isMutedForMe(participant.user_id));
  }

  changeVolume(userId: string): void {
    const peer = this.#peers.get(userId);
    if (peer) this.#applyVolume(peer);
  }

  has(userId: string): boolean {
    return this.#peers.has(userId);
  }

  remove(userId: string, participantId?: string): void {
    const peer = this.#peers.get(userId);
    if (!peer || (participantId !== undefined && peer.participant.id !== participantId)) return;
    this.#peers.delete(userId);
    this.#epochs.set(peer.participant.id, peer.link.epoch);
    peer.voice?.close();
    peer.link.close();
  }

  /** Of somebody who is not on the roster yet nothing is known: the roster comes first. */
  take(
    from: { userId: string; participantId: string | undefined },
    message: Parameters<PeerLink["take"]>[0],
  ): void {
    const peer = this.#peers.get(from.userId);
    if (!peer || (from.participantId !== undefined && from.participantId !== peer.participant.id)) return;
    peer.link.take(message);
  }

  async changeTrack(): Promise<void> {
    await Promise.all([...this.#peers.values()].map(({ link }) => link.changeTrack()));
  }

  changeBitrate(): void {
    for (const { link } of this.#peers.values()) link.changeBitrate();
  }

  checkPaths(): void {
    for (const { link } of this.#peers.values()) link.checkPath();
  }

  retry(userId: string): void {
    this.#peers.get(userId)?.link.connect();
  }

  measure(): ReadonlyMap<string, number> {
    const now = this.#now();
    for (const [userId, { missingSince = now, link }] of this.#peers)
      if (this.#isPartial ? missingSince < now && !link.isAlive : now - missingSince > RETURN_MS)
        this.remove(userId);
    // Of who is silent there is nothing to know.
    const asked = [...this.#peers].filter(([, { participant, link }]) => {
      return participant.is_speaking || link.phase === "lost";
    });
    // To ask holds the page up: where many speak they take turns.
    const rounds = Math.ceil(asked.length / ASKED_AT_ONCE);
    this.#tick += 1;
    asked.forEach(([, peer], index) => {
      if ((index + this.#tick) % rounds === 0) this.#askPeer(peer, now);
    });
    return new Map(asked.map(([userId, { level }]) => [userId, level]));
  }

  #askPeer(peer: Peer, now: number): void {
    const played = peer.link.getPlayed();
    peer.level = played?.level ?? 0;
    if (!played || played.rtpTimestamp === peer.rtpTimestamp) {
      this.#watchStall(peer, now);
      return;
    }
    peer.rtpTimestamp = played.rtpTimestamp;
    peer.packetAt = now;
    if (played.level > 0) peer.firstAudioMs ??= now - peer.begunAt;
    if (peer.link.phase === "lost") peer.link.found();
  }

  /** What was still played after the last word, when nobody asked, is no sign that the path is there. */
  #forgetPlayed(userId: string): void {
    const peer = this.#peers.get(userId);
    if (peer) peer.rtpTimestamp = peer.link.getPlayed()?.rtpTimestamp;
  }

  #watchStall({ participant, link, packetAt }: Peer, now: number): void {
    if (participant.is_speaking && !participant.is_muted && now - packetAt > STALL_MS) link.lose();
  }

  changeState(userId: string, state: Partial<Pick<Participant, "is_speaking" | "is_muted">>): void {
    const peer = this.#peers.get(userId);
    if (!peer) return;
    // From now on: before, silence was right.
    if (state.is_speaking && !peer.participant.is_speaking) peer.packetAt = this.#now();
    peer.participant = { ...peer.participant, ...state };
  }

  async report(): Promise<void> {
    await Promise.all(
      [...this.#peers].map(async ([userId, peer]) => {
        const stats = await peer.link.getStats();
        if (!stats) return;
        const figures = readFigures(stats);
        this.#deps.onQuality(userId, toQuality(figures, peer.figures, peer.firstAudioMs));
        peer.figures = figures;
      }),
    );
    this.reportHearing();
  }

  reportHearing(): void {
    const canHear = this.#deps.speaker.isRunning;
    const heard = [...this.#peers]
      .filter(([, { link, voice }]) => canHear && voice && link.phase === "connected")
      .map(([userId]) => userId)
      .sort();
    const text = heard.join(" ");
    if (text === this.#hearing || (heard.length === 0 && !this.#isLate())) return;
    this.#hearing = text;
    this.#deps.onHearing(heard);
  }

  /** That one hears nobody is sent only where it lasts: at first it is so for everybody. */
  #isLate(): boolean {
    const begun = [...this.#peers.values()].map(({ begunAt }) => begunAt);
    return this.#now() - Math.min(...begun) > DEAF_MS;
  }

  forgetHearing(): void {
    this.#hearing = undefined;
  }

  listFingerprints(): string[] | undefined {
    const all = [...this.#peers.values()];
    if (all.length === 0 || all.some(({ link }) => link.phase !== "connected")) return undefined;
    return [...new Set(all.flatMap(({ link }) => link.getFingerprints()))].sort();
  }

  close(): void {
    for (const userId of [...this.#peers.keys()]) this.remove(userId);
  }
}
