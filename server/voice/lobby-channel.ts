import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { LOBBY_SENDS, LOBBY_TOPIC } from "#contract/voice-lobby.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { accept, type Channel, declareChannel, refuse } from "#server/socket/channel.ts";

/** What `Wire.signal` tells the lobby. */
export interface LobbySignals {
  /** `isWritten`: not only who is in it. */
  room_changed: { room: VoiceRoom; isWritten: boolean };
  room_removed: { room: VoiceRoom };
  rooms_changed: object;
  /** To the room's creator alone. */
  room_entered: { room: VoiceRoom; display_name: string };
}

type LobbySignal = {
  [Name in keyof LobbySignals]: { name: Name; payload: LobbySignals[Name] };
}[keyof LobbySignals];

/** Whether somebody's list holds a room: the public ones, their own, and for admins all. */
function isListed(
  room: { is_public: boolean; created_by: string },
  person: { userId: number; level: number },
): boolean {
  return room.is_public || room.created_by === String(person.userId) || person.level >= ACCESS_LEVEL.admin;
}

/** `voice:lobby`: changes of the room list, to each member as far as their list goes. */
export function createLobbyChannel(): Channel {
  return declareChannel({
    topic: LOBBY_TOPIC,
    sends: LOBBY_SENDS,
    join: ({ person }) => (person.level >= ACCESS_LEVEL.user ? accept(null) : refuse("unauthorized")),
    mayStay: ({ person }) => person.level >= ACCESS_LEVEL.user,
    signalled(member, event, payload) {
      // The one sender is live.ts, in this or another process of the same version.
      const signal = { name: event, payload } as LobbySignal;
      switch (signal.name) {
        case "room_changed": {
          const { room, isWritten } = signal.payload;
          if (isListed(room, member.person)) member.push("room_changed", room);
          // It may have been public before. Its id is not told: whoever has that may come in.
          else if (isWritten) member.push("rooms_changed", {});
          break;
        }
        case "room_removed":
          if (isListed(signal.payload.room, member.person))
            member.push("room_removed", { id: signal.payload.room.id });
          break;
        case "rooms_changed":
          member.push("rooms_changed", {});
          break;
        case "room_entered":
          member.push("room_entered", signal.payload);
      }
    },
    events: {},
  });
}
