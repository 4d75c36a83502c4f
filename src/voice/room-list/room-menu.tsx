import { type ReactNode, useState } from "react";
import { type VoiceRoom, voiceRoom } from "#contract/voice/rooms.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { ConfirmDialog } from "../parts/dialogs.tsx";
import { Menu, MenuItem } from "../parts/menu.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import { RoomDialog } from "./room-dialog.tsx";

type Open = { kind: "edit" | "close" | "delete"; room: VoiceRoom };

export interface RoomMenuProps {
  room: VoiceRoom;
  maxSeats: number | undefined;
  onChanged: (room: VoiceRoom) => void;
  onDeleted: (room: VoiceRoom) => void;
  notify: (notice: Notice) => void;
  /** Where there is a place for them: whom moderators have barred. */
  showBans?: () => void;
}

/** Edit, close, open and delete a room, with their dialogs, for whoever may: of the list's cards and of the room itself. */
export function RoomMenu({ room, maxSeats, onChanged, onDeleted, notify, showBans }: RoomMenuProps) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  async function change(room: VoiceRoom, body: object): Promise<void> {
    const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;
    onChanged(await http.request(path, { method: "PUT", body, schema: voiceRoom }));
  }

  async function setActive(room: VoiceRoom, isActive: boolean): Promise<void> {
    await change(room, { is_active: isActive });
    notify({
      kind: "status",
      text: t(isActive ? "voice:rooms.opened" : "voice:rooms.closed", { name: room.name }),
    });
  }

  function toggle(): void {
    if (room.is_active) setOpen({ kind: "close", room });
    else
      setActive(room, true).catch((error: unknown) =>
        notify({ kind: "alert", text: toFailureText(error, t("voice:rooms.failedChange"), t) }),
      );
  }

  async function remove(room: VoiceRoom): Promise<void> {
    await http.request(`/voice/rooms/${encodeURIComponent(room.slug)}`, { method: "DELETE" });
    notify({ kind: "status", text: t("voice:rooms.deleted", { name: room.name }) });
    onDeleted(room);
  }

  function draw({ kind, room }: Open): ReactNode {
    const { name } = room;
    switch (kind) {
      case "edit":
        return (
          <RoomDialog
            room={room}
            maxSeats={maxSeats}
            save={async (values) => {
              await change(room, values);
              close();
            }}
            onClose={close}
          />
        );
      case "close":
        return (
          <ConfirmDialog
            title={t("voice:rooms.closeTitle", { name })}
            text={t("voice:rooms.closeText")}
            action={t("voice:rooms.close")}
            busy={t("voice:rooms.closing")}
            run={() => setActive(room, false)}
            onClose={close}
          />
        );
      case "delete":
        return (
          <ConfirmDialog
            title={t("voice:rooms.deleteTitle", { name })}
            text={t("voice:rooms.deleteText")}
            action={t("voice:rooms.delete")}
            busy={t("voice:rooms.deleting")}
            run={() => remove(room)}
            onClose={close}
          />
        );
    }
  }

  return (
    <>
      <Menu label={t("voice:rooms.menu", { name: room.name })}>
        <MenuItem onChoose={() => setOpen({ kind: "edit", room })}>{t("voice:rooms.edit")}</MenuItem>
        <MenuItem onChoose={toggle}>{t(room.is_active ? "voice:rooms.close" : "voice:rooms.open")}</MenuItem>
        {showBans && <MenuItem onChoose={showBans}>{t("voice:rooms.bans")}</MenuItem>}
        <MenuItem isDangerous onChoose={() => setOpen({ kind: "delete", room })}>
          {t("voice:rooms.delete")}
        </MenuItem>
      </Menu>
      {open && draw(open)}
    </>
  );
}
