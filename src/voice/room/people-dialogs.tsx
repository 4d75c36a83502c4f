import { useCallback, useEffect, useState } from "react";
import { blocksAnswer, roomBansAnswer } from "#contract/voice-people.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import type { Call } from "../call/call.ts";
import { useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";

interface ListedPerson {
  user_id: string;
  display_name: string;
}

interface PeopleDialogProps {
  title: string;
  /** What stands in place of an empty list. */
  empty: string;
  read: () => Promise<readonly ListedPerson[]>;
  /** What the button of each says, and is called. */
  action: string;
  toLabel: (name: string) => string;
  lift: (userId: string) => Promise<void>;
  onClose: () => void;
}

/** A list of people against whom something stands that can be lifted from each. */
function PeopleDialog({ title, empty, read, action, toLabel, lift, onClose }: PeopleDialogProps) {
  const t = useVoiceText();
  const [people, setPeople] = useState<readonly ListedPerson[]>();
  const [fault, setFault] = useState("");

  useEffect(() => {
    let isLeft = false;
    read()
      .then((found) => !isLeft && setPeople(found))
      .catch((error: unknown) => {
        if (!isLeft) setFault(toFailureText(error, t("voice:parts.error"), t));
      });
    return () => {
      isLeft = true;
    };
  }, [read, t]);

  async function liftFrom(userId: string) {
    setFault("");
    try {
      await lift(userId);
      setPeople((before) => before?.filter(({ user_id }) => user_id !== userId));
    } catch (error) {
      setFault(t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }));
    }
  }

  return (
    <Dialog title={title} onCancel={onClose}>
      <p className="alert" role="alert">
        {fault}
      </p>
      {!people && !fault && <p role="status">{t("voice:parts.loading")}</p>}
      {people?.length === 0 && <p>{empty}</p>}
      <ul className="ban-list">
        {people?.map(({ user_id, display_name }) => (
          <li key={user_id}>
            <span>{display_name}</span>
            <button
              type="button"
              className="voice-button"
              aria-label={toLabel(display_name)}
              onClick={() => void liftFrom(user_id)}
            >
              {action}
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

/** Whom moderators have barred from a room; each can be let in again. */
export function BansDialog({ room, onClose }: { room: VoiceRoom; onClose: () => void }) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}/bans/`;
  const read = useCallback(
    async () => (await http.request(path, { schema: roomBansAnswer })).bans,
    [http, path],
  );
  return (
    <PeopleDialog
      title={t("voice:rooms.bans")}
      empty={t("call:person.noBans")}
      read={read}
      action={t("call:person.unban")}
      toLabel={(name) => t("call:person.unbanFor", { name })}
      lift={(userId) => http.request(`${path}${userId}`, { method: "DELETE" })}
      onClose={onClose}
    />
  );
}

/** Whom the person has blocked for themselves, in the room or not. */
export function BlocksDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const read = useCallback(
    async () => (await http.request("/voice/blocks/", { schema: blocksAnswer })).blocks,
    [http],
  );
  return (
    <PeopleDialog
      title={t("call:person.blocks")}
      empty={t("call:person.noBlocks")}
      read={read}
      action={t("call:person.unblock")}
      toLabel={(name) => t("call:person.unblockFor", { name })}
      lift={async (userId) => {
        await http.request(`/voice/blocks/${userId}`, { method: "DELETE" });
        call.setBlocked(userId, false);
      }}
      onClose={onClose}
    />
  );
}
