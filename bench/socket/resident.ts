import type { ParticipantSpeaking, Speaking } from "./room-channel.ts";

type PresenceMap = Readonly<Record<string, unknown>>;

/** What a resident needs of a connection. */
export interface TextSender {
  send(text: string): void;
}

/** The people `firstId` and following, `roomSize` of them, are in the room. */
export interface ResidentOptions {
  userId: number;
  topic: string;
  firstId: number;
  roomSize: number;
}

const readClockUs = () => Number(process.hrtime.bigint() / 1000n);

/**
 * One person in one room, who checks every message: of this room, from somebody in it, none missing between two of a sender
 * and none twice.
 */
export class Resident {
  readonly userId: number;
  readonly topic: string;
  client: TextSender | undefined;
  isJoined = false;
  delivered = 0;
  frames = 0;
  heartbeatReplies = 0;
  /** In microseconds, where somebody put a list here. */
  latencies: number[] | undefined;
  readonly #firstId: number;
  readonly #roomSize: number;
  readonly #lastSeqs: Uint32Array;
  readonly #present = new Set<string>();
  #hasRoster = false;
  #hasState = false;
  #lastRef = 0;
  #lastSeq = 0;

  constructor({ userId, topic, firstId, roomSize }: ResidentOptions) {
    this.userId = userId;
    this.topic = topic;
    this.#firstId = firstId;
    this.#roomSize = roomSize;
    this.#lastSeqs = new Uint32Array(roomSize);
  }

  get knowsAll(): boolean {
    return this.#hasRoster && this.#hasState && this.#present.size >= this.#roomSize;
  }

  #send(joinRef: string | null, topic: string, event: string, payload: unknown): void {
    if (!this.client) throw new Error("not connected");
    this.client.send(JSON.stringify([joinRef, String(++this.#lastRef), topic, event, payload]));
  }

  join(): void {
    this.#send("1", this.topic, "phx_join", {});
  }

  beat(): void {
    this.#send(null, "phoenix", "heartbeat", {});
  }

  speak(): void {
    const payload: Speaking = {
      is_speaking: this.#lastSeq % 2 === 0,
      seq: ++this.#lastSeq,
      sent_at_us: readClockUs(),
    };
    this.#send("1", this.topic, "speaking", payload);
  }

  offer(userId: number, text: string): void {
    this.#send("1", this.topic, "offer", { target_user_id: String(userId), offer: text });
  }

  receive(text: string): void {
    this.frames += 1;
    const [, , topic, event, payload] = JSON.parse(text);
    if (topic === "phoenix" && event === "phx_reply") this.heartbeatReplies += 1;
    else if (topic !== this.topic) throw new Error(`a message of ${topic} came to ${this.topic}`);
    else if (event === "participant_speaking") this.#receive(payload);
    else this.#learn(event, payload);
  }

  #receive({ user_id, seq, sent_at_us }: ParticipantSpeaking): void {
    const place = Number(user_id) - this.#firstId;
    const expected = (this.#lastSeqs[place] ?? Number.NaN) + 1;
    if (seq !== expected || Number(user_id) === this.userId)
      throw new Error(
        `${this.topic}: message ${seq} of ${user_id} came to ${this.userId} instead of ${expected}`,
      );
    this.#lastSeqs[place] = seq;
    this.delivered += 1;
    this.latencies?.push(readClockUs() - sent_at_us);
  }

  #learn(event: string, payload: { joins: PresenceMap; leaves: PresenceMap; status: string }): void {
    switch (event) {
      case "phx_reply":
        if (payload.status !== "ok" || this.isJoined) throw new Error(`a reply: ${JSON.stringify(payload)}`);
        this.isJoined = true;
        break;
      case "roster_snapshot":
        this.#hasRoster = true;
        break;
      case "presence_state":
        this.#hasState = true;
        for (const key of Object.keys(payload)) this.#present.add(key);
        break;
      case "presence_diff":
        for (const key of Object.keys(payload.joins)) this.#present.add(key);
        break;
      case "participant_joined":
      case "participant_left":
        break;
      default:
        throw new Error(`${this.topic}: nobody declared ${event}`);
    }
  }
}
