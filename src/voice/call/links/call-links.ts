import type { IceServer, RoomEngine } from "#contract/voice/rooms.ts";
import type { CallContext } from "../call-deps.ts";
import type { Links, LinksDeps } from "./links.ts";
import { Mesh } from "./mesh.ts";
import { type LinkSettings, toConfiguration } from "./peer-connection.ts";
import { PeerLink } from "./peer-link.ts";

/** Relays are asked for new credentials this long before theirs expire. */
const AHEAD_MS = 60_000;
/** What a renewal brings is good for longer; a failed one is tried again as soon. */
const RENEWED_MS = 10 * 60_000;

/** Helpers of connections (STUN, TURN), with credentials that are good by now. */
class IceServers {
  #servers: readonly IceServer[] = [];
  #expiresAt = Number.POSITIVE_INFINITY;
  readonly #fetch: () => Promise<readonly IceServer[]>;

  constructor(fetch: () => Promise<readonly IceServer[]>) {
    this.#fetch = fetch;
  }

  /** `expiresAt`: ISO moment; null where nothing expires. */
  take(servers: readonly IceServer[], expiresAt: string | null): void {
    this.#servers = servers;
    this.#expiresAt = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  }

  get hasRelay(): boolean {
    return this.#servers.some(({ urls }) => urls.some((url) => /^turns?:/.test(url)));
  }

  list(): RTCIceServer[] {
    return this.#servers.map(({ urls, username, credential }) => ({
      urls: [...urls],
      ...(username !== undefined && { username }),
      ...(credential !== undefined && { credential }),
    }));
  }

  /** A relay refuses what has expired, so new credentials come before a connection is made anew. Does nothing until then. */
  async renew(): Promise<void> {
    if (Date.now() < this.#expiresAt - AHEAD_MS) return;
    this.#expiresAt = Date.now() + AHEAD_MS + RENEWED_MS;
    try {
      this.#servers = await this.#fetch();
    } catch (error) {
      this.#expiresAt = Date.now() + 2 * AHEAD_MS;
      console.warn("New relay credentials could not be fetched.", error);
    }
  }
}

/** The others of a full mesh. */
const MAX_OFFERS = 11;
/** Between two that are made, so that the page stays quick. */
const PAUSE_MS = 50;

/**
 * Connections that are made before somebody needs one: to make one takes a browser as long as to link with it. They ask
 * nobody for anything, and send nothing, until they are taken.
 */
export class SpareConnections {
  readonly #build: () => RTCPeerConnection;
  /** To offer on, with their transceiver. */
  #offers: RTCPeerConnection[] = [];
  /** To answer on: the transceiver comes with the offer. */
  #answer: RTCPeerConnection | undefined;
  #wantedOffers = 0;
  #delayMs = PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `build` may throw, as the browser's constructor does. */
  constructor(build: () => RTCPeerConnection) {
    this.#build = build;
  }

  /** One to answer on, and so many to offer on. They are made after `delayMs`, one by one. */
  keep(offers: number, delayMs = PAUSE_MS): void {
    this.#wantedOffers = Math.min(offers, MAX_OFFERS);
    for (const connection of this.#offers.splice(this.#wantedOffers)) connection.close();
    this.#delayMs = delayMs;
    this.#addAfter(delayMs);
  }

  #addAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#add(), ms);
  }

  #add(): void {
    if (this.#answer && this.#offers.length >= this.#wantedOffers) return;
    try {
      if (!this.#answer) this.#answer = this.#build();
      else this.#offers.push(addAudio(this.#build()));
      this.#addAfter(PAUSE_MS);
    } catch (error) {
      // The code that needs one makes it then, and says what fails.
      console.warn("No connection could be made beforehand.", error);
    }
  }

  /** One for `configuration`, spare or new. With a transceiver where it is to offer on. Throws as the constructor does. */
  take(configuration: RTCConfiguration, isOffer: boolean): RTCPeerConnection {
    const spare = isOffer ? this.#offers.pop() : this.#answer;
    this.#wantedOffers = this.#offers.length;
    if (!isOffer) this.#answer = undefined;
    this.#addAfter(this.#delayMs);
    if (!spare) {
      const built = new RTCPeerConnection(configuration);
      return isOffer ? addAudio(built) : built;
    }
    spare.setConfiguration(configuration);
    return spare;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const connection of this.#offers.splice(0)) connection.close();
    this.#answer?.close();
    this.#answer = undefined;
  }
}

function addAudio(connection: RTCPeerConnection): RTCPeerConnection {
  connection.addTransceiver("audio", { direction: "sendrecv" });
  return connection;
}

const BITRATES = { low: 16_000, medium: 32_000, high: 64_000 } as const;
const MEASURE_EVERY_MS = 100;
const REPORT_EVERY_MS = 2000;
const HEARING_EVERY_MS = 500;

/** What a call's links are made of, and with: certificate, relays, connections made beforehand, and how much others learn. */
export class CallLinks {
  readonly #deps: CallContext;
  readonly relays: IceServers;
  readonly spares = new SpareConnections(() => new RTCPeerConnection(toConfiguration(this.#toSettings())));
  /** Undefined before the room is joined, and where this browser can make none. */
  current: Links | undefined;
  #certificate: RTCCertificate | undefined;
  /** Asked for once: a connection made with another one would be refused. */
  #certificateMade: Promise<void> | undefined;
  #timers: ReturnType<typeof setInterval>[] = [];
  /** Counts what was closed: links whose file comes later go no further. */
  #turn = 0;

  constructor(deps: CallContext) {
    this.#deps = deps;
    this.relays = new IceServers(deps.fetchIceServers);
  }

  makeCertificate(): Promise<void> {
    const make = async () => {
      try {
        const algorithm: EcKeyGenParams = { name: "ECDSA", namedCurve: "P-256" };
        this.#certificate = await RTCPeerConnection.generateCertificate(algorithm);
      } catch (error) {
        // Each connection then makes its own; only the code over all of them is missing.
        console.warn("No certificate for the call.", error);
      }
    };
    this.#certificateMade ??= make();
    return this.#certificateMade;
  }

  /** Another page of the site is up where the file is gone: then nothing but a reload helps. */
  async open(engine: RoomEngine): Promise<void> {
    if (this.current) return;
    const deps = this.#toLinksDeps();
    if (engine === "mesh") {
      this.#begin(new Mesh(deps));
      return;
    }
    const turn = this.#turn;
    const loaded = await import("./mixer.ts").catch(() => undefined);
    if (turn !== this.#turn || this.current) return;
    if (!loaded) {
      this.#deps.fail({ kind: "failed" });
      return;
    }
    const mixer = new loaded.Mixer(deps);
    this.#begin(mixer);
    // Came before the file did.
    const state = this.#deps.store.getState();
    if (this.#deps.attendance.isKnown && state.phase === "in") mixer.takeRoster(state.people, "", false);
  }

  #begin(links: Links): void {
    this.current = links;
    const measure = () => {
      this.#deps.onLevels(links.measure());
      void this.relays.renew();
    };
    this.#timers = [
      setInterval(measure, MEASURE_EVERY_MS),
      setInterval(() => links.reportHearing(), HEARING_EVERY_MS),
      setInterval(() => void links.report(), REPORT_EVERY_MS),
    ];
    window.addEventListener("online", this.#onOnline);
  }

  #onOnline = () => this.current?.checkPaths();

  #toLinksDeps(): LinksDeps {
    const { store, sound, attendance, voice, userId, displayName, send, onHearing } = this.#deps;
    // This site's server knows better; another one of the protocol may pass on what it is given.
    const from = { from_user_id: userId, from_display_name: displayName };
    return {
      settings: () => this.#toSettings(),
      track: () => (voice.isSending ? (sound.track ?? null) : null),
      send: ({ event, ...payload }) => send(event, { ...payload, ...from }),
      speaker: sound.openSpeaker(),
      onLink: (id, link) => store.dispatch({ type: "link", userId: id, link }),
      onQuality: (id, quality) => store.dispatch({ type: "quality", userId: id, quality }),
      onHearing,
      volumeOf: (id) => sound.devices.volumes[id] ?? 1,
      isMutedForMe: (id) => sound.devices.mutedForMe.includes(id),
      isBlocked: (id) => attendance.isApart(id),
      createLink: (link) =>
        new PeerLink({ ...link, createConnection: (...wanted) => this.spares.take(...wanted) }),
    };
  }

  #toSettings(): LinkSettings {
    return {
      iceServers: this.relays.list(),
      isRelayOnly: this.isAddressHidden,
      certificate: this.#certificate,
      maxBitrate: BITRATES[this.#deps.getPreferences().quality],
    };
  }

  /** Whether others get to know a relay's address in place of this browser's. */
  get isAddressHidden(): boolean {
    const { hide_address } = this.#deps.getPreferences();
    const state = this.#deps.store.getState();
    const isPublic = (state.phase === "in" && state.room?.is_public) ?? this.#deps.isPublicRoom;
    const isWanted = hide_address === "always" || (hide_address === "auto" && isPublic);
    return isWanted && this.relays.hasRelay;
  }

  /** Where `change` hides the address, or shows it, every link looks for a path of that kind. */
  watchAddress(change: () => void): void {
    const wasHidden = this.isAddressHidden;
    change();
    if (this.isAddressHidden !== wasHidden) this.current?.checkPaths();
  }

  /** The call is over; connections made beforehand stay, for the next one. */
  close(): void {
    this.#turn += 1;
    for (const timer of this.#timers) clearInterval(timer);
    window.removeEventListener("online", this.#onOnline);
    this.current?.close();
    this.current = undefined;
  }
}
