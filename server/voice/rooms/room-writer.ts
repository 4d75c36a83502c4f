import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import { findRoomFaults, getMaxSeats } from "#contract/voice/room-rules.ts";
import { type RoomEngine, VOICE_LIMITS } from "#contract/voice/rooms.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { addSuffix, createPublicId, toSlug } from "./room-address.ts";
import {
  countOne,
  deleteRoom,
  findRoomById,
  getWaitS,
  insertRoom,
  type RoomRow,
  type RoomValues,
  updateRoom,
} from "./room-store.ts";
import { readModerator, requireModerator } from "./rooms.ts";

const EMPTY: RoomValues = {
  name: "",
  description: "",
  max_participants: VOICE_LIMITS.seatsDefault,
  is_public: false,
  auto_mute_on_join: false,
  is_active: true,
};

/** More rooms of one name and the same random suffix there are not. */
const SLUG_TRIES = 5;

/** The kinds have checked the values; an emptied one has its default. */
function toNext(before: RoomValues, given: ReadonlyMap<string, unknown>): RoomValues {
  const values = [...given].filter(([name]) => name in EMPTY);
  const emptied = values.map(([name, value]) => [name, value ?? EMPTY[name as keyof RoomValues]]); // just looked up
  const { name, description, max_participants, is_public, auto_mute_on_join, is_active } = before;
  const kept = { name, description, max_participants, is_public, auto_mute_on_join, is_active };
  return { ...kept, ...Object.fromEntries(emptied) };
}

const toEngine = (size: number): RoomEngine => (size <= VOICE_LIMITS.meshSeatsMax ? "mesh" : "mix");

/** What stays as it was is not judged: a site may have lost its engine since. */
function findFaults(next: RoomValues, before: RoomRow | undefined, seatsMax: number): FieldFault[] {
  const isSameSize = next.max_participants === before?.max_participants;
  const { max_participants, ...texts } = next;
  const faults: FieldFault[] = findRoomFaults(isSameSize ? texts : { ...texts, max_participants }, seatsMax);
  if (faults.length === 0 && before?.engine === "mesh" && toEngine(max_participants) === "mix")
    faults.push({ field: "max_participants", code: "room_size_of_mesh" });
  return faults;
}

async function requireMaker(db: Queryable, actor: Actor, now: Date): Promise<void> {
  const { userId, level } = await readModerator(db, actor);
  if (level < ACCESS_LEVEL.moderator) throw new AppError("room_creation_denied");
  if (userId === null || hasAdminAccess(level)) return;
  const max = VOICE_LIMITS.roomsPerDay;
  if (!(await countOne(db, { userId, what: "room", max, now })))
    throw new AppError("too_many_rooms", { vars: { max }, retryAfterS: getWaitS(now) });
}

async function insert(db: Queryable, values: RoomValues, createdBy: number | null): Promise<{ id: number }> {
  const slug = toSlug(values.name);
  const room = { ...values, engine: toEngine(values.max_participants), created_by_id: createdBy };
  for (let tries = 0; tries < SLUG_TRIES; tries++) {
    const address = { public_id: createPublicId(), slug: tries === 0 ? slug : addSuffix(slug) };
    const made = await insertRoom(db, { ...room, ...address });
    if (made) return made;
  }
  throw new AppError("conflict");
}

/** Writes rooms, whichever endpoint is used. `hasMixer`: larger rooms can be made. */
export function createRoomWriter({ hasMixer, now }: { hasMixer: boolean; now: () => Date }): RecordWriter {
  const seatsMax = getMaxSeats(hasMixer);
  const requireGood = (next: RoomValues, before?: RoomRow) => {
    const fields = findFaults(next, before, seatsMax);
    if (fields.length > 0) throw new AppError("validation_failed", { fields });
  };

  async function requireOwn(db: Queryable, id: number, actor: Actor): Promise<RoomRow> {
    const room = await findRoomById(db, id);
    if (!room) throw new AppError("object_not_found");
    requireModerator(await readModerator(db, actor), room);
    return room;
  }

  return {
    prepare: async () => undefined,

    async create(db, given, actor) {
      const values = toNext(EMPTY, given);
      requireGood(values);
      await requireMaker(db, actor, now());
      return insert(db, values, actor.userId);
    },

    async update(db, id, given, actor) {
      const before = await requireOwn(db, id, actor);
      const next = toNext(before, given);
      requireGood(next, before);
      await updateRoom(db, id, next);
      return undefined;
    },

    async delete(db, id, actor) {
      await requireOwn(db, id, actor);
      await deleteRoom(db, id);
      return undefined;
    },

    findFaults: (given) => findRoomFaults(given, seatsMax),
    committed: () => undefined,
  };
}
