import type { Participant } from "#contract/voice-channel.ts";
import type { Links } from "./links/links.ts";
import { Mesh, RETURN_MS } from "./links/mesh.ts";
import type { RoomEvent, RoomState } from "./room-state.ts";
import type { Store } from "./store.ts";

export interface AttendanceParts {
  store: Store<RoomState, RoomEvent>;
  userId: string;
  /** Numbers of the people whom this person has blocked. */
  blocked: readonly string[];
  getLinks: () => Links | undefined;
  chime: (kind: "in" | "out") => void;
}

/** Behind the links' own time for those who are missing. */
const DROP_MS = RETURN_MS + 200;

/** Who is in the room, by the server, and with whom of them this browser makes no link. */
export class Attendance {
  readonly #parts: AttendanceParts;
  #blocked: ReadonlySet<string>;
  /** Between whom and this person the server lets nothing pass: one of the two has blocked the other. */
  #apart: ReadonlySet<string> = new Set();
  /** Was told since the last join; where nobody is apart, nothing is. */
  #isApartTold = false;
  /** Who was missing in the roster behind a loss, and is not back yet. */
  #missing = new Set<string>();
  #isKnown = false;

  constructor(parts: AttendanceParts) {
    this.#parts = parts;
    this.#blocked = new Set(parts.blocked);
  }

  /** Who is in the room was told since the call began. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** By this person. */
  isBlocked(userId: string): boolean {
    return this.#blocked.has(userId);
  }

  isApart(userId: string): boolean {
    return this.#blocked.has(userId) || this.#apart.has(userId);
  }

  get #people() {
    const state = this.#parts.store.getState();
    return state.phase === "in" ? state.people : [];
  }

  /** The channel was joined: a roster follows. */
  begin(): void {
    this.#isApartTold = false;
  }

  end(): void {
    this.#isKnown = false;
    this.#apart = new Set();
    this.#missing = new Set();
  }

  /** `isBack`: behind a loss, when the server itself may be new and know few. */
  takeRoster(participants: readonly Participant[], participantId: string, isBack: boolean): void {
    this.#isKnown = true;
    if (!this.#isApartTold) this.takeApart([]);
    const present = new Set(participants.map(({ user_id }) => user_id));
    const known = this.#people.map(({ user_id }) => user_id);
    this.#missing = new Set(known.filter((userId) => !present.has(userId)));
    this.#parts.store.dispatch({ type: "roster", participants, keepMissing: isBack });
    this.#parts.getLinks()?.takeRoster(participants, participantId, isBack);
    if (isBack) this.#dropMissingLater();
  }

  /** Who was missing behind a restart, and has not come back, is gone. */
  #dropMissingLater(): void {
    const missing = this.#missing;
    setTimeout(() => {
      // Behind another loss there is another roster.
      if (this.#missing !== missing) return;
      const removed = this.#people.filter(({ user_id }) => missing.has(user_id));
      this.#parts.store.dispatch({ type: "seats", changed: [], removed });
    }, DROP_MS);
  }

  /** Somebody who is there, new or known. */
  add(participant: Participant): void {
    const { user_id } = participant;
    if (user_id === this.#parts.userId) return;
    this.#missing.delete(user_id);
    const links = this.#parts.getLinks();
    const isNew = !links?.has(user_id);
    links?.add(participant);
    // Nobody is linked with whom they are apart, and hears nothing of them.
    if (isNew && links?.has(user_id)) this.#parts.chime("in");
  }

  remove(userId: string, participantId: string): void {
    const links = this.#parts.getLinks();
    const wasThere = links?.has(userId);
    links?.remove(userId, participantId);
    if (wasThere && !links?.has(userId) && userId !== this.#parts.userId) this.#parts.chime("out");
  }

  /** Nothing passes between the two from now on, or does again. */
  setBlocked(userId: string, isBlocked: boolean): void {
    const rest = new Set(this.#blocked);
    if (isBlocked) rest.add(userId);
    else rest.delete(userId);
    this.#blocked = rest;
    this.#applyApart([userId]);
  }

  /** What the server says of it: neither of the two knows who has blocked whom. */
  takeApart(userIds: readonly string[]): void {
    const former = this.#apart;
    this.#isApartTold = true;
    this.#apart = new Set(userIds);
    this.#parts.store.dispatch({ type: "apart", userIds });
    this.#applyApart([...former, ...userIds]);
  }

  #applyApart(userIds: readonly string[]): void {
    const links = this.#parts.getLinks();
    // A mix is one sound: everybody in it hears everybody.
    if (!(links instanceof Mesh)) return;
    for (const person of this.#people) {
      const { user_id } = person;
      if (!userIds.includes(user_id)) continue;
      if (this.isApart(user_id)) {
        links.remove(user_id);
        this.#parts.store.dispatch({ type: "link", userId: user_id, link: "none" });
      } else links.add(person);
    }
  }
}
