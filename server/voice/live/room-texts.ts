import { randomBytes } from "node:crypto";
import { type RoomText, VOICE_CHANNEL_LIMITS } from "#contract/voice/room-channel.ts";
import type { Timers } from "../timing.ts";
import type { SeatPerson } from "./seats.ts";

/** Of a line by its key: browsers know by it that they have the line already. Nobody can give another one's. */
const toId = (userId: number, key: string) => `${userId}.${key}`;

/** The lines of a room with somebody in it, the latest ones. */
export class RoomTexts {
  readonly #timers: Timers;
  #lines: RoomText[] = [];
  /** When each person wrote last. */
  readonly #writtenAt = new Map<number, number>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  list(): readonly RoomText[] {
    return this.#lines;
  }

  /** Who wrote what is kept, whether they are still there or not. */
  listAuthors(): number[] {
    return [...new Set(this.#lines.map(({ user_id }) => Number(user_id)))];
  }

  /** A person's name has changed, in earlier lines too; undefined: they are gone, and so are their lines. */
  nameAuthor(userId: number, displayName: string | undefined): void {
    this.#lines = this.#lines.flatMap((line) => {
      if (line.user_id !== String(userId)) return [line];
      return displayName === undefined ? [] : [{ ...line, display_name: displayName }];
    });
  }

  has({ userId }: SeatPerson, key: string): boolean {
    return this.#lines.some(({ id }) => id === toId(userId, key));
  }

  /** `key`: of a line that may be sent again, to another process too. @returns undefined where the person wrote a moment ago. */
  add({ userId, displayName }: SeatPerson, text: string, key?: string): RoomText | undefined {
    const now = this.#timers.now();
    if (now < (this.#writtenAt.get(userId) ?? 0) + VOICE_CHANNEL_LIMITS.textIntervalMs) return undefined;
    this.#writtenAt.set(userId, now);
    const line: RoomText = {
      id: key === undefined ? randomBytes(9).toString("base64url") : toId(userId, key),
      user_id: String(userId),
      display_name: displayName,
      text,
      sent_at: new Date(now).toISOString(),
    };
    this.#lines = [...this.#lines, line].slice(-VOICE_CHANNEL_LIMITS.textsKept);
    return line;
  }
}
