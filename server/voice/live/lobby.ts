import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { LOBBY_SENDS, LOBBY_TOPIC, lobbyJoin } from "#contract/voice-lobby.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { accept, type Channel, declareChannel, type Member, refuse } from "#server/socket/channel.ts";
import { ROOM_ADDRESS } from "../rooms/room-address.ts";
import type { Timers } from "../timing.ts";
import { Budgets, JOINS_OF_ONE } from "./budget.ts";

/** What `Wire.signal` tells the lobby. */
export interface LobbySignals {
  room_changed: { room: VoiceRoom };
  room_removed: { room: VoiceRoom };
  /** `hidden`: private rooms that were written; undefined: any rooms may have changed. */
  rooms_changed: { hidden?: VoiceRoom[] | undefined };
  /** To the room's creator alone. */
  room_entered: { room: VoiceRoom; display_name: string };
}

type LobbySignal = {
  [Name in keyof LobbySignals]: { name: Name; payload: LobbySignals[Name] };
}[keyof LobbySignals];

/** The room's public id that the member has named. Whoever knows it may come in. */
interface LobbyState {
  roomId: string | undefined;
}

/** Whether somebody's list holds a room (the public ones, their own, and for admins all), or they stand before its door. */
function isTold(room: VoiceRoom, { person, state }: Member<LobbyState, typeof LOBBY_SENDS>): boolean {
  return (
    room.is_public ||
    room.created_by === String(person.userId) ||
    person.level >= ACCESS_LEVEL.admin ||
    room.id === state.roomId
  );
}

/** `voice:lobby`: changes of the room list, to each member as far as their list goes. */
export function createLobbyChannel(parts: {
  /** By its public id. */
  findRoom: (roomId: string, userId: number) => Promise<VoiceRoom | undefined>;
  timers: Timers;
}): Channel {
  const joins = new Budgets(parts.timers);
  return declareChannel({
    topic: LOBBY_TOPIC,
    sends: LOBBY_SENDS,
    async join({ person, payload }) {
      if (person.level < ACCESS_LEVEL.user) return refuse("unauthorized");
      if (!joins.take(`${person.userId}`, JOINS_OF_ONE)) return refuse("too_many_messages");
      const roomId = lobbyJoin.safeParse(payload).data?.room_id;
      if (roomId === undefined) return accept<LobbyState>({ roomId });
      if (!ROOM_ADDRESS.test(roomId)) return refuse("room_not_found");
      const room = (await parts.findRoom(roomId, person.userId)) ?? null;
      return accept<LobbyState>({ roomId }, { response: { room } });
    },
    mayStay: ({ person }) => person.level >= ACCESS_LEVEL.user,
    signalled(member, event, payload) {
      // The one sender is live.ts, in this or another process of the same version.
      const signal = { name: event, payload } as LobbySignal;
      switch (signal.name) {
        case "room_changed":
          if (isTold(signal.payload.room, member)) member.push("room_changed", signal.payload.room);
          break;
        case "room_removed":
          if (isTold(signal.payload.room, member))
            member.push("room_removed", { id: signal.payload.room.id });
          break;
        case "rooms_changed":
          // They may have been public before. Their ids are not told: whoever has one may come in.
          if (!signal.payload.hidden?.every((room) => isTold(room, member))) member.push("rooms_changed", {});
          break;
        case "room_entered":
          member.push("room_entered", signal.payload);
      }
    },
    events: {},
  });
}
