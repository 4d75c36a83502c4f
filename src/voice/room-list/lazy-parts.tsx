import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { lazyPart } from "../parts/lazy-part.tsx";
import { useOwnPerson } from "../voice-context.tsx";
import type { RoomMenuProps } from "./room-menu.tsx";

/** Whether somebody may edit, close and delete a room: its creator, and level 10. The server decides. */
function mayManage(room: Pick<VoiceRoom, "created_by">, person: { id: string; level: number }): boolean {
  return room.created_by === person.id || person.level >= ACCESS_LEVEL.admin;
}

/** To make a room: few visits need it. */
export const RoomDialog = lazyPart(async () => (await import("./room-dialog.tsx")).RoomDialog);

/** Of an invitation's link. */
export const Invitation = lazyPart(async () => (await import("./invitation.tsx")).Invitation);

const LoadedMenu = lazyPart<RoomMenuProps>(async () => (await import("./room-menu.tsx")).RoomMenu);

/** What can be done to a room, for its creator and for admins; others have nothing, and load nothing. */
export function ManagerMenu(props: RoomMenuProps) {
  return mayManage(props.room, useOwnPerson()) ? <LoadedMenu {...props} /> : null;
}
