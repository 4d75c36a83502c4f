import type { ENGINE_ID, Participant } from "#contract/voice/room-channel.ts";
import type { Voice } from "../sound/speaker.ts";
import type { Links, LinksDeps } from "./links.ts";
import type { RETURN_MS } from "./mesh.ts";
import type { PeerLink } from "./peer-link.ts";

// Types alone are imported: else what a mesh needs would be split into more files.
const ENGINE: typeof ENGINE_ID = "engine";
const GONE_MS: typeof RETURN_MS = 10_000;

/** The mix never pauses, fifty packets a second: none for so long means that the path is gone. */
const STALL_MS = 3000;
const NO_LEVELS: ReadonlyMap<string, number> = new Map();

/**
 * The one link of a room whose sound the server mixes. Everybody in the room is reached by it or not at all; single people
 * have no volume, no figures and no code of their own, and nobody says whom they hear.
 */
export class Mixer implements Links {
  readonly #deps: LinksDeps;
  readonly #link: PeerLink;
  readonly #now: () => number;
  /** Seats by the number of their person. */
  readonly #seats = new Map<string, string>();
  /** Not in the roster that came behind a loss: gone at this time unless they are back. */
  #missing = new Map<string, number>();
  #voice: Voice | undefined;
  #rtpTimestamp: number | undefined;
  #packetAt = 0;

  constructor(deps: LinksDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
    this.#link = deps.createLink({
      // A relay would hide nothing: other people never get this browser's address, and the server has it.
      settings: () => ({ ...deps.settings(), isRelayOnly: false }),
      track: deps.track,
      isOfferer: true,
      send: (message) => deps.send({ ...message, target_user_id: ENGINE }),
      onPhase: (phase) => {
        this.#packetAt = this.#now();
        for (const userId of this.#seats.keys()) deps.onLink(userId, phase);
      },
      onTrack: (track) => {
        this.#voice?.close();
        this.#voice = deps.speaker.play(track);
      },
    });
  }

  takeRoster(
    participants: readonly Participant[],
    participantId: string,
    isBack: boolean,
    isPartial = false,
  ): void {
    const own = participants.find(({ id }) => id === participantId);
    // Who has left can't be told from who is connected elsewhere: the link is everybody's.
    const goneAt = isPartial ? Number.POSITIVE_INFINITY : this.#now() + (isBack ? GONE_MS : 0);
    this.#missing = new Map([...this.#seats.keys()].map((userId) => [userId, goneAt]));
    for (const participant of participants) if (participant !== own) this.add(participant);
    // Behind a restart of server or engine nothing is left of the link, whatever this browser sees of it.
    if (this.#link.phase === "none" || (own && own.status !== "ready")) this.#link.connect();
    else if (isBack) this.#link.checkPath();
  }

  add({ user_id, id }: Participant): void {
    this.#missing.delete(user_id);
    if (this.#seats.get(user_id) === id) return;
    this.#seats.set(user_id, id);
    this.#deps.onLink(user_id, this.#link.phase);
  }

  has(userId: string): boolean {
    return this.#seats.has(userId);
  }

  remove(userId: string, participantId?: string): void {
    if (participantId === undefined || this.#seats.get(userId) === participantId) this.#drop(userId);
  }

  #drop(userId: string): void {
    this.#seats.delete(userId);
    this.#missing.delete(userId);
  }

  take({ userId }: { userId: string }, message: Parameters<PeerLink["take"]>[0]): void {
    if (userId === ENGINE) this.#link.take(message);
  }

  changeTrack(): Promise<void> {
    return this.#link.changeTrack();
  }

  changeBitrate(): void {
    this.#link.changeBitrate();
  }

  changeVolume(): void {}

  changeState(): void {}

  checkPaths(): void {
    this.#link.checkPath();
  }

  retry(): void {
    this.#link.connect();
  }

  measure(): ReadonlyMap<string, number> {
    const now = this.#now();
    for (const [userId, goneAt] of this.#missing) if (now >= goneAt) this.#drop(userId);
    const played = this.#link.getPlayed();
    if (played && played.rtpTimestamp !== this.#rtpTimestamp) {
      this.#rtpTimestamp = played.rtpTimestamp;
      this.#packetAt = now;
      if (this.#link.phase === "lost") this.#link.found();
    } else if (now - this.#packetAt > STALL_MS) this.#link.lose();
    return NO_LEVELS;
  }

  async report(): Promise<void> {}

  reportHearing(): void {}

  forgetHearing(): void {}

  listFingerprints(): undefined {}

  close(): void {
    this.#voice?.close();
    this.#link.close();
  }
}
