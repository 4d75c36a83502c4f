import { lazyPart } from "../parts/lazy-part.tsx";
import { useOwnPerson } from "../voice-context.tsx";
import { mayManage } from "./may-manage.ts";
import type { RoomMenuProps } from "./room-menu.tsx";

/** To make a room: few visits need it. */
export const RoomDialog = lazyPart(async () => (await import("./room-dialog.tsx")).RoomDialog);

/** Of an invitation's link. */
export const Invitation = lazyPart(async () => (await import("./invitation.tsx")).Invitation);

const LoadedMenu = lazyPart<RoomMenuProps>(async () => (await import("./room-menu.tsx")).RoomMenu);

/** What can be done to a room, for its creator and for admins; others have nothing, and load nothing. */
export function ManagerMenu(props: RoomMenuProps) {
  return mayManage(props.room, useOwnPerson()) ? <LoadedMenu {...props} /> : null;
}
