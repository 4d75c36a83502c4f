import type { LightMyRequestResponse } from "fastify";
import { type VoiceRoom, voiceRoom } from "#contract/voice/rooms.ts";
import { AppError } from "#server/base/errors.ts";
import { createTestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import type { LiveRooms } from "./deps.ts";

type Call = readonly unknown[];

/** Rooms that record the calls to them. `full`: rooms without a place; `unreached`: rooms whose process can't be told. */
function createRecordingRooms(now: () => Date) {
  const calls: Call[] = [];
  const [full, unreached] = [new Set<string>(), new Set<string>()];
  const record =
    (name: keyof LiveRooms) =>
    (...args: readonly unknown[]) =>
      void calls.push([name, ...args]);
  const live: LiveRooms = {
    countSeats: (roomId) => (full.has(roomId) ? 2 : 0),
    async reserve(room, person) {
      if (full.has(room.public_id)) throw new AppError("room_full");
      calls.push(["reserve", room.public_id, person.userId]);
      return new Date(now().getTime() + 20_000);
    },
    leave: record("leave"),
    setMuted: record("setMuted"),
    roomChanged: async (roomId) => record("roomChanged")(roomId),
    async measured(roomId, ...args) {
      if (unreached.has(roomId)) throw new AppError("unavailable");
      record("measured")(roomId, ...args);
    },
    blocksChanged: async (userId) => record("blocksChanged")(userId),
  };
  return { live, full, unreached, takeCalls: () => calls.splice(0) };
}

/** An entry of the log, as far as these tests ask. */
export interface Entry {
  action_type: string;
  detail: string | null;
  user_id: number | null;
  object_id: string | null;
  object_repr: string | null;
  change_message: string;
  changes: Record<string, { before?: unknown; after?: unknown }> | null;
  ip_address: string | null;
  model_name: string | null;
}

/** The whole server with a clock that tests move, and rooms in memory that record the calls to them. */
export async function openVoice() {
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const now = () => new Date(clock.now);
  const rooms = createRecordingRooms(now);
  const site = await createTestApp({ now, liveRooms: rooms.live });
  const { pool } = site.database;

  async function call(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    as?: Pick<TestPerson, "authorization">,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<LightMyRequestResponse> {
    return site.app.inject({
      method,
      url,
      headers: { ...(as && { authorization: as.authorization }), ...headers },
      ...(payload && { payload }),
    });
  }

  return {
    site,
    pool,
    clock,
    rooms,
    call,
    async makeRoom(as: TestPerson, values: object = {}): Promise<VoiceRoom> {
      const answer = await call("POST", "/voice/rooms", as, { name: "Tea room", ...values });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return voiceRoom.parse(answer.json());
    },
    /** The path of a model's objects in the console. */
    async toObjects(key: string, rest = ""): Promise<string> {
      const { rows } = await pool.query<{ id: number }>(
        "SELECT id FROM content_type WHERE app_label || '.' || model_name = $1",
        [key],
      );
      return `/api/admin/models/${rows[0]?.id}/objects/${rest}`;
    },
    /** The number of a room's row, which nobody is shown. */
    async getRowId(room: VoiceRoom): Promise<number> {
      const { rows } = await pool.query<{ id: number }>("SELECT id FROM voice_room WHERE public_id = $1", [
        room.id,
      ]);
      return rows[0]?.id ?? 0;
    },
    /** Entries since the last call. */
    async takeAudit(): Promise<Entry[]> {
      return asLogOwner<Entry>(
        pool,
        `WITH taken AS (DELETE FROM audit_entry RETURNING *)
         SELECT e.action_type, e.detail, e.user_id, e.object_id, e.object_repr, e.change_message, e.changes,
           e.ip_address, c.model_name
         FROM taken e LEFT JOIN content_type c ON c.id = e.content_type_id ORDER BY e.id`,
      );
    },
    close: () => site.close(),
  };
}

export type VoiceFixture = Awaited<ReturnType<typeof openVoice>>;

/** Code of an answer, and field and code of each fault. */
export function readRefusal(answer: LightMyRequestResponse): string[] {
  const { code, errors } = answer.json() as { code: string; errors: { field: string; code: string }[] };
  return [`${answer.statusCode} ${code}`, ...errors.map((fault) => `${fault.field} ${fault.code}`)];
}
