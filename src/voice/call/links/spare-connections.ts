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
      // Who needs one makes it then, and says what fails.
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
