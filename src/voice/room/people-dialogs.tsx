import { useEffect, useState } from "react";
import { type RoomBan, roomBansAnswer, type VoiceRoom } from "#contract/voice-rooms.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { useVoiceServices } from "../voice-services.ts";
import { useVoiceText } from "../voice-text.tsx";

/** Whom moderators have barred from a room; each can be let in again. */
export function BansDialog({ room, onClose }: { room: VoiceRoom; onClose: () => void }) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const [bans, setBans] = useState<readonly RoomBan[]>();
  const [fault, setFault] = useState("");
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}/bans/`;

  useEffect(() => {
    let isLeft = false;
    http
      .request(path, { schema: roomBansAnswer })
      .then((answer) => !isLeft && setBans(answer.bans))
      .catch((error: unknown) => {
        if (!isLeft) setFault(toFailureText(error, t("voice:parts.error"), t));
      });
    return () => {
      isLeft = true;
    };
  }, [http, path, t]);

  async function lift({ user_id }: RoomBan) {
    setFault("");
    try {
      await http.request(`${path}${user_id}`, { method: "DELETE" });
      setBans((before) => before?.filter((ban) => ban.user_id !== user_id));
    } catch (error) {
      setFault(t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }));
    }
  }

  return (
    <Dialog title={t("voice:rooms.bans")} onCancel={onClose}>
      <p className="alert" role="alert">
        {fault}
      </p>
      {!bans && !fault && <p role="status">{t("voice:parts.loading")}</p>}
      {bans?.length === 0 && <p>{t("call:person.noBans")}</p>}
      <ul className="ban-list">
        {bans?.map((ban) => (
          <li key={ban.user_id}>
            <span>{ban.display_name}</span>
            <button
              type="button"
              className="voice-button"
              aria-label={t("call:person.unbanFor", { name: ban.display_name })}
              onClick={() => void lift(ban)}
            >
              {t("call:person.unban")}
            </button>
          </li>
        ))}
      </ul>
      <div className="dialog-buttons">
        <button type="button" className="voice-button" onClick={onClose}>
          {t("call:settings.close")}
        </button>
      </div>
    </Dialog>
  );
}
