import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import type { IceServer } from "#contract/voice/rooms.ts";
import type { Socket } from "#providers/socket/socket.ts";
import type { Attendance } from "./attendance.ts";
import type { LinksDeps } from "./links/links.ts";
import type { CallFault, RoomEvent, RoomState } from "./room-state.ts";
import type { OwnVoice } from "./sound/own-voice.ts";
import type { Sound } from "./sound/sound.ts";
import type { Store } from "./store.ts";

export interface CallDeps {
  /** The room's public id. */
  roomId: string;
  userId: string;
  displayName: string;
  socket: Pick<Socket, "join" | "getStatus" | "getFailedTries" | "tryNow">;
  preferences: VoicePreferences;
  /** Relays with credentials that are good by now. */
  fetchIceServers: () => Promise<readonly IceServer[]>;
  /** Past the socket, which may be away or closing. Names the seat, so that it ends no later one. Rejects as `Http` does. */
  sendLeave: (participantId: string) => Promise<void>;
  /** The room is public: who hides their address where strangers are, hides it here. */
  isPublicRoom: boolean;
  /** Numbers of the people whom this person has blocked. */
  blocked: readonly string[];
}

/** What the parts of a call have in common. */
export interface CallContext extends CallDeps {
  store: Store<RoomState, RoomEvent>;
  sound: Sound;
  attendance: Attendance;
  voice: OwnVoice;
  getPreferences: () => VoicePreferences;
  send: (event: string, payload: object) => void;
  /** Levels of the others, 0 to 1, ten times a second. */
  onLevels: (levels: ReadonlyMap<string, number>) => void;
  onHearing: LinksDeps["onHearing"];
  fail: (fault: CallFault) => void;
  end: (event: Extract<RoomEvent, { type: "left" | "ended" }>) => void;
}
