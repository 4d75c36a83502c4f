import type * as z from "zod/mini";
import {
  ENGINE_ID,
  type ROOM_SENDS,
  toRoomTopic,
  VOICE_CHANNEL_LIMITS,
} from "#contract/voice/room-channel.ts";
import { VOICE_LIMITS, type VoiceRoom } from "#contract/voice/rooms.ts";
import type { EngineSeat, RoomEngine } from "../engine/engine.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import { Budgets, createPace, type Pace, type Timers } from "../timing.ts";
import { RoomTexts } from "./room-texts.ts";
import { areApart, createRoomMix, type RoomMix, type Seat, type SeatStore, toParticipant } from "./seats.ts";

/** How what happens in a room reaches its members, in whichever process they are. */
export interface Wire {
  broadcast(topic: string, event: string, payload: unknown): void;
  signal(topic: string, event: string, payload: unknown, key?: string): void;
}

type Sends = typeof ROOM_SENDS;

const SECOND_MS = 1000;
/** Between two messages to a room that it was written. */
const ROW_INTERVAL_MS = 500;

/** What was published of a seat last. */
interface PublishedState {
  isMuted: boolean;
  isSpeaking: boolean;
}

/** A room with somebody in it. What it remembers goes when the last one leaves. */
export class LiveRoom {
  row: RoomRow;
  readonly texts: RoomTexts;
  /** What a person may send another one: of people, not of seats, or whoever joins again would begin anew. */
  readonly budgets: Budgets;
  readonly #seats: SeatStore;
  readonly #timers: Timers;
  readonly #wire: Wire;
  readonly #isPartial: () => boolean;
  readonly #onFreed: (room: LiveRoom) => void;
  readonly #rowPace: Pace;
  readonly #paces = new Map<Seat, Pace>();
  readonly #seatPaces = new Map<Seat, Pace>();
  readonly #hearingPaces = new Map<Seat, Pace>();
  readonly #published = new Map<Seat, PublishedState>();
  /** The numbers of `apart` that a seat's browser has. */
  readonly #publishedApart = new Map<Seat, string>();
  /** Seats on which nobody sits, until they are freed. */
  readonly #keeping = new Map<Seat, { until: number; cancel: () => void }>();
  /** A mesh has none. */
  readonly #mix: RoomMix | undefined;

  constructor(deps: {
    row: RoomRow;
    seats: SeatStore;
    timers: Timers;
    wire: Wire;
    /** The other processes aren't reached: people there may be in the room too. */
    isPartial: () => boolean;
    /** Undefined: the site runs none. */
    engine: RoomEngine | undefined;
    toAnswer: (row: RoomRow) => VoiceRoom;
    /** A seat was freed: the room may be empty. */
    onFreed: (room: LiveRoom) => void;
  }) {
    this.row = deps.row;
    this.#seats = deps.seats;
    this.#timers = deps.timers;
    this.texts = new RoomTexts(deps.timers);
    this.budgets = new Budgets(deps.timers);
    this.#wire = deps.wire;
    this.#isPartial = deps.isPartial;
    this.#onFreed = deps.onFreed;
    this.#rowPace = createPace(deps.timers, ROW_INTERVAL_MS, () =>
      this.broadcast("room_updated", deps.toAnswer(this.row)),
    );
    if (deps.row.engine === "mix" && deps.engine) this.#mix = this.#createMix(deps.engine);
  }

  get id(): string {
    return this.row.public_id;
  }

  #createMix(engine: RoomEngine): RoomMix {
    return createRoomMix({
      engine,
      roomId: this.id,
      onAnswer: (seat, sdp, epoch) => {
        seat.state.isReady = true;
        const answer = { type: "answer", sdp };
        this.#publishSeat(seat, "answer", { from_user_id: ENGINE_ID, answer, epoch });
      },
      // Whose own seat is not ready there begins anew.
      onLost: (seat) => {
        seat.state.isReady = false;
        this.#publishSeat(seat, "roster_snapshot", this.toRoster());
      },
    });
  }

  /** Where the seat's sound goes; undefined in a mesh: to the other browsers. */
  getEngineSeat(seat: Seat): EngineSeat | undefined {
    return this.#mix?.of(seat);
  }

  /** To whoever sits there now, in whichever process. */
  #publishSeat<E extends keyof Sends & string>(seat: Seat, event: E, payload: z.input<Sends[E]>): void {
    this.signal("seat", { id: seat.id, event, payload }, seat.person.userId);
  }

  listRoster(): Seat[] {
    return this.#seats.list(this.id).filter((seat) => seat.isOnRoster);
  }

  toRoster(): z.input<Sends["roster_snapshot"]> {
    const participants = this.listRoster().map(toParticipant);
    return this.#isPartial() ? { participants, is_partial: true } : { participants };
  }

  /** Anew to everybody: whether it is the whole one may have changed. */
  publishRoster(): void {
    this.broadcast("roster_snapshot", this.toRoster());
  }

  findOnRoster(userId: number): Seat | undefined {
    const seat = this.#seats.find(this.id, userId);
    return seat?.isOnRoster ? seat : undefined;
  }

  /**
   * Those in the room of whom one has blocked the other; from now on they count as published. `isNew`: they were not, the last
   * time.
   */
  #takeApart(seat: Seat): { user_ids: string[]; isNew: boolean } {
    const others = this.listRoster().filter((other) => other !== seat && areApart(seat, other));
    const user_ids = others.map(({ person }) => String(person.userId));
    const isNew = user_ids.join() !== (this.#publishedApart.get(seat) ?? "");
    this.#publishedApart.set(seat, user_ids.join());
    return { user_ids, isNew };
  }

  /** For a browser that has just come: it knows nothing, or what it received before its connection was lost. */
  renewApart(seat: Seat): string[] | undefined {
    const { user_ids, isNew } = this.#takeApart(seat);
    return isNew || user_ids.length > 0 ? user_ids : undefined;
  }

  /** Blocks may have changed, or somebody comes in. A person who is away is notified when they are back. */
  publishApart(seat: Seat): void {
    if (seat.memberId === undefined) return;
    const { user_ids, isNew } = this.#takeApart(seat);
    if (isNew) this.#publishSeat(seat, "apart", { user_ids });
  }

  broadcast<E extends keyof Sends & string>(event: E, payload: z.input<Sends[E]>): void {
    this.#wire.broadcast(toRoomTopic(this.id), event, payload);
  }

  /** To the channel of one person's members, or of all. */
  signal(event: string, payload: object, userId?: number): void {
    this.#wire.signal(
      toRoomTopic(this.id),
      event,
      payload,
      userId === undefined ? undefined : String(userId),
    );
  }

  /** Somebody who came back, or a second tab: whatever was to end their seat no longer does. */
  holdOn(seat: Seat): void {
    this.#keeping.get(seat)?.cancel();
    this.#keeping.delete(seat);
  }

  /** Nobody sits on it for now. @returns until when it is kept, in milliseconds since 1970. */
  keep(seat: Seat): number {
    this.holdOn(seat);
    const keptMs = VOICE_LIMITS.seatKeptS * SECOND_MS;
    const until = this.#timers.now() + keptMs;
    this.#keeping.set(seat, { until, cancel: this.#timers.after(keptMs, () => this.#lapse(seat)) });
    return until;
  }

  /** Who sat there may be connected to a process that isn't reached: nobody is told that they have left, and who hears them keeps them. */
  #lapse(seat: Seat): void {
    const isUnsure = seat.isOnRoster && this.#isPartial();
    if (isUnsure) seat.isOnRoster = false;
    this.free(seat);
    if (isUnsure) this.publishRoster();
  }

  /** The same for one that may be kept already: then not longer. */
  keepOn(seat: Seat): number {
    return this.#keeping.get(seat)?.until ?? this.keep(seat);
  }

  /** Forgets a seat that another one replaces; who it was says its own message. */
  forget(seat: Seat): void {
    this.holdOn(seat);
    this.#mix?.forget(seat);
    for (const paces of [this.#paces, this.#seatPaces, this.#hearingPaces]) {
      paces.get(seat)?.stop();
      paces.delete(seat);
    }
    this.#published.delete(seat);
    this.#publishedApart.delete(seat);
  }

  free(seat: Seat): void {
    const wasTaken = this.#seats.find(this.id, seat.person.userId) === seat;
    this.forget(seat);
    this.#seats.free(seat);
    if (seat.isOnRoster) {
      seat.isOnRoster = false;
      const gone = { id: seat.id, user_id: String(seat.person.userId) };
      this.broadcast("participant_left", gone);
      this.broadcast("roster_update", { removed: [gone] });
    }
    if (wasTaken) this.#onFreed(this);
  }

  /** The room was written: those in it are notified, at most so often. */
  rowChanged(): void {
    this.#rowPace.touch();
  }

  /** Muted or speaking may have changed: others are notified, at most so often. */
  stateChanged(seat: Seat): void {
    this.#mix?.changed(seat);
    this.#toPace(this.#paces, seat, () => this.#publishState(seat)).touch();
  }

  #publishState(seat: Seat): void {
    // A person who has only reserved a seat is named to nobody.
    if (!seat.isOnRoster) return;
    const { is_muted, is_speaking, user_id } = toParticipant(seat);
    const published = this.#published.get(seat) ?? { isMuted: undefined, isSpeaking: false };
    this.#published.set(seat, { isMuted: is_muted, isSpeaking: is_speaking });
    if (is_muted !== published.isMuted) this.broadcast("participant_muted", { user_id, is_muted });
    if (is_speaking !== published.isSpeaking)
      this.broadcast("participant_speaking", { user_id, is_speaking });
  }

  /** Anything else of a seat has changed: others are notified, at most so often. */
  seatChanged(seat: Seat): void {
    this.#mix?.changed(seat);
    this.#toPace(this.#seatPaces, seat, () => {
      if (seat.isOnRoster) this.broadcast("roster_update", { updated: [toParticipant(seat)] });
    }).touch();
  }

  /** The list of those whom somebody hears has changed. */
  hearingChanged(seat: Seat): void {
    this.#toPace(this.#hearingPaces, seat, () => {
      const user_ids = [...(seat.state.hears ?? [])];
      if (seat.isOnRoster)
        this.broadcast("participant_hearing", { user_id: String(seat.person.userId), user_ids });
    }).touch();
  }

  #toPace(paces: Map<Seat, Pace>, seat: Seat, notify: () => void): Pace {
    const known = paces.get(seat);
    if (known) return known;
    const pace = createPace(this.#timers, SECOND_MS / VOICE_CHANNEL_LIMITS.statesPerS, notify);
    paces.set(seat, pace);
    return pace;
  }

  /** Without a word: nobody is in it, or the process ends. */
  stop(): void {
    this.#rowPace.stop();
    for (const { cancel } of this.#keeping.values()) cancel();
    for (const paces of [this.#paces, this.#seatPaces, this.#hearingPaces])
      for (const pace of paces.values()) pace.stop();
  }
}
