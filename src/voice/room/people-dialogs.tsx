import { type FormEvent, useCallback, useEffect, useId, useState } from "react";
import { blocksAnswer, roomBansAnswer } from "#contract/voice/people.ts";
import { VOICE_LIMITS, type VoiceRoom } from "#contract/voice/rooms.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { FieldFrame } from "../../ui/text-field.tsx";
import type { Call } from "../call/call.ts";
import type { Person } from "../call/room-state.ts";
import { ConfirmDialog, useUnsaved } from "../parts/dialogs.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";

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

interface ReportDialogProps {
  name: string;
  /** A line of the room's text that it is about. */
  message: string | undefined;
  /** Rejects where it was not taken: what was typed stays. */
  send: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Reports somebody to the admins. */
function ReportDialog({ name, message, send, onClose }: ReportDialogProps) {
  const t = useVoiceText();
  const id = useId();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const sendHeld = useUnsaved(reason !== "");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!reason.trim() || isBusy) return;
    setIsBusy(true);
    setFault("");
    try {
      await sendHeld(() => send(reason.trim()));
    } catch (error) {
      setIsBusy(false);
      setFault(t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }));
    }
  }

  return (
    <Dialog title={t("call:person.reportTitle", { name })} onCancel={isBusy ? undefined : onClose}>
      <form onSubmit={submit} className="room-form">
        <p>{t("call:person.reportText", { name })}</p>
        {message !== undefined && (
          <blockquote className="report-line">{t("call:person.reportMessage", { text: message })}</blockquote>
        )}
        <FieldFrame
          id={id}
          label={t("call:person.reportReason")}
          control={
            <textarea
              id={id}
              rows={4}
              required
              maxLength={VOICE_LIMITS.reportMaxChars}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          }
        />
        <p className="alert" role="alert">
          {fault}
        </p>
        <div className="dialog-buttons">
          <button type="button" className="voice-button" onClick={onClose} disabled={isBusy}>
            {t("call:person.cancel")}
          </button>
          <button type="submit" className="button" disabled={isBusy || !reason.trim()}>
            {t("call:person.reportSend")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What somebody is about to do about another person. */
export type Measure =
  | { kind: "block" | "remove" | "ban"; person: Person }
  | { kind: "report"; userId: string; name: string; message: string | undefined };

interface ModerationDialogProps {
  measure: Measure;
  room: VoiceRoom;
  call: Call;
  notify: (notice: Notice) => void;
  onClose: () => void;
}

/** Asks before a measure is taken, and takes it. It outlives the call: what was written into a report is not lost with it. */
export function ModerationDialog({ measure, room, call, notify, onClose }: ModerationDialogProps) {
  const { http } = useVoiceServices();
  const t = useVoiceText();
  const path = `/voice/rooms/${encodeURIComponent(room.slug)}`;

  if (measure.kind === "report") {
    const { userId, name, message } = measure;
    return (
      <ReportDialog
        name={name}
        message={message}
        onClose={onClose}
        send={async (reason) => {
          const body = { user_id: userId, reason, ...(message !== undefined && { message }) };
          await http.request(`${path}/reports/`, { method: "POST", body });
          onClose();
          notify({ kind: "status", text: t("call:person.reportSent") });
        }}
      />
    );
  }

  const { kind, person } = measure;
  const { user_id, display_name: name } = person;
  const runs = {
    async block() {
      await http.request(`/voice/blocks/${user_id}`, { method: "PUT" });
      call.setBlocked(user_id, true);
    },
    remove: () => http.request(`${path}/participants/${user_id}`, { method: "DELETE" }),
    ban: () => http.request(`${path}/bans/`, { method: "POST", body: { user_id } }),
  };
  return (
    <ConfirmDialog
      title={t(`call:person.${kind}Title`, { name })}
      text={t(`call:person.${kind}Text`)}
      action={t(`call:person.${kind}`)}
      busy={t(`call:person.${kind}`)}
      run={runs[kind]}
      onClose={onClose}
    />
  );
}
