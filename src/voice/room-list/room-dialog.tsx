import { type FormEvent, useId, useState } from "react";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { findRoomFaults, type RoomFaultCode } from "#contract/voice/room-rules.ts";
import { VOICE_LIMITS, type VoiceRoom } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { describeControl, FieldFrame, TextField } from "../../ui/text-field.tsx";
import { useUnsaved } from "../parts/dialogs.tsx";
import { useOwnPerson, useVoiceText, type VoiceText } from "../voice-context.tsx";

/** What the form holds, as it is typed. */
export interface RoomValues {
  name: string;
  description: string;
  max_participants: number;
  is_public: boolean;
  auto_mute_on_join: boolean;
}

const EMPTY_ROOM: RoomValues = {
  name: "",
  description: "",
  max_participants: VOICE_LIMITS.seatsDefault,
  is_public: false,
  auto_mute_on_join: false,
};

function toRoomValues(room: VoiceRoom): RoomValues {
  const { name, description, max_participants, is_public, auto_mute_on_join } = room;
  return { name, description, max_participants, is_public, auto_mute_on_join };
}

/** As it is sent: trimmed. */
export function toRoomBody(values: RoomValues): RoomValues {
  return { ...values, name: values.name.trim(), description: values.description.trim() };
}

/** The sizes to choose from; a room that has another one keeps it. */
export function listSizes(current: number): number[] {
  return [...new Set([...VOICE_LIMITS.seatChoices, current])].sort((one, other) => one - other);
}

interface RoomDialogProps {
  /** Is edited; without one a room is made. */
  room?: VoiceRoom;
  /** The largest room that can be made here; undefined: the back end doesn't say. */
  maxSeats: number | undefined;
  /** Rejects where the server refuses: the form stays as it was typed. */
  save: (values: RoomValues) => Promise<void>;
  onClose: () => void;
}

/** What the server's refusal means to who makes a room (specification B section 8). */
function toRefusalText(error: unknown, isCreating: boolean, t: VoiceText): string {
  if (error instanceof HttpError) {
    if (error.code === "no_valid_token" || error.code === "session_expired") return t("voice:create.noToken");
    if (error.code === "room_creation_denied" || /access denied|access level/i.test(error.message))
      return t("voice:create.denied");
    if (error.code === "not_authenticated" || /authentication required/i.test(error.message))
      return t("voice:create.pleaseLogin");
  }
  return toFailureText(error, t(isCreating ? "voice:create.failed" : "voice:rooms.failedChange"), t);
}

const FAULT_TEXTS = {
  room_name_required: "voice:create.nameRequired",
  room_name_too_short: "voice:create.nameShort",
  room_name_too_long: "voice:create.nameLong",
  room_description_too_long: "voice:create.descriptionLong",
  room_size_out_of_range: "voice:create.sizeWrong",
  room_size_needs_engine: "voice:create.needsEngine",
} as const satisfies Record<RoomFaultCode, string>;

const FIELDS = ["name", "description", "max_participants"] as const;

/** Faults that the server found, by field: it may know of more. */
function readFaults(error: unknown): Partial<Record<keyof RoomValues, string>> {
  if (!(error instanceof HttpError)) return {};
  return Object.fromEntries(
    error.errors
      .filter(({ field }) => FIELDS.some((known) => known === field))
      .map(({ field, message }) => [field, message]),
  );
}

export function RoomDialog({ room, maxSeats, save, onClose }: RoomDialogProps) {
  const t = useVoiceText();
  const person = useOwnPerson();
  const sizeId = useId();
  const [before] = useState(() => (room ? toRoomValues(room) : EMPTY_ROOM));
  const [values, setValues] = useState(before);
  const [touched, setTouched] = useState<ReadonlySet<keyof RoomValues>>(new Set());
  const [refusal, setRefusal] = useState("");
  const [serverFaults, setServerFaults] = useState<ReturnType<typeof readFaults>>({});
  const [isBusy, setIsBusy] = useState(false);
  const saveHeld = useUnsaved(values !== before);
  // A room that is larger than a new one may be keeps its size.
  const faults = findRoomFaults(
    values,
    Math.max(maxSeats ?? VOICE_LIMITS.seatsMax, room?.max_participants ?? 0),
  );
  const isCreating = !room;
  const isLevelLow = isCreating && person.level < ACCESS_LEVEL.moderator;

  const set = <Name extends keyof RoomValues>(name: Name, value: RoomValues[Name]) => {
    setValues((before) => ({ ...before, [name]: value }));
    setServerFaults(({ [name]: _gone, ...rest }) => rest);
  };
  const touch = (name: keyof RoomValues) => setTouched((before) => new Set(before).add(name));
  const toError = (name: keyof RoomValues) => {
    const fault = touched.has(name) ? faults.find(({ field }) => field === name) : undefined;
    return fault ? t(FAULT_TEXTS[fault.code]) : serverFaults[name];
  };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || faults.length > 0) return;
    setIsBusy(true);
    setRefusal("");
    try {
      await saveHeld(() => save(toRoomBody(values)));
    } catch (error) {
      setIsBusy(false);
      const found = readFaults(error);
      setServerFaults(found);
      setRefusal(Object.keys(found).length > 0 ? "" : toRefusalText(error, isCreating, t));
    }
  }

  return (
    <Dialog
      title={t(isCreating ? "voice:create.title" : "voice:create.editTitle")}
      onCancel={isBusy ? undefined : onClose}
    >
      <form className="room-form" onSubmit={submit} noValidate>
        {isLevelLow && (
          <div className="notice-box" role="note">
            <strong>{t("voice:create.levelTitle")}</strong>
            <p>{t("voice:create.levelText", { needed: ACCESS_LEVEL.moderator, level: person.level })}</p>
          </div>
        )}
        <div role="alert">
          {refusal && (
            <div className="alert">
              <strong>{t(isCreating ? "voice:create.failedTitle" : "voice:create.saveFailedTitle")}</strong>
              <p>{refusal}</p>
            </div>
          )}
        </div>
        <TextField
          label={`${t("voice:create.name")} *`}
          value={values.name}
          required
          aria-required
          autoComplete="off"
          error={toError("name")}
          onChange={({ currentTarget }) => set("name", currentTarget.value)}
          onBlur={() => touch("name")}
        />
        <DescriptionField
          value={values.description}
          error={toError("description")}
          onChange={(value) => set("description", value)}
          onBlur={() => touch("description")}
        />
        <FieldFrame
          id={sizeId}
          label={t("voice:create.size")}
          error={toError("max_participants")}
          control={
            <select
              id={sizeId}
              className="select"
              value={values.max_participants}
              {...describeControl(sizeId, toError("max_participants"), `${sizeId}-note`)}
              onChange={({ currentTarget }) => set("max_participants", Number(currentTarget.value))}
            >
              {listSizes(values.max_participants).map((size) => (
                <option key={size} value={size} disabled={maxSeats !== undefined && size > maxSeats}>
                  {t("voice:create.sizeOption", { count: size })}
                </option>
              ))}
            </select>
          }
        >
          <p className="field-note" id={`${sizeId}-note`}>
            {maxSeats !== undefined && maxSeats <= VOICE_LIMITS.meshSeatsMax
              ? t("voice:create.needsEngine")
              : t("voice:create.mixed")}
          </p>
        </FieldFrame>
        <label className="check">
          <input
            type="checkbox"
            checked={values.is_public}
            onChange={({ currentTarget }) => set("is_public", currentTarget.checked)}
          />
          {t("voice:create.public")}
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={values.auto_mute_on_join}
            onChange={({ currentTarget }) => set("auto_mute_on_join", currentTarget.checked)}
          />
          {t("voice:create.autoMute")}
        </label>
        <div className="dialog-buttons">
          <button type="button" className="voice-button" onClick={onClose} disabled={isBusy}>
            {t("voice:create.cancel")}
          </button>
          <button type="submit" className="button" disabled={isBusy || isLevelLow || faults.length > 0}>
            {toSubmitText(isCreating, isBusy, t)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function toSubmitText(isCreating: boolean, isBusy: boolean, t: VoiceText): string {
  if (isCreating) return t(isBusy ? "voice:create.busy" : "voice:create.submit");
  return t(isBusy ? "voice:create.saving" : "voice:create.save");
}

interface DescriptionFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onBlur: () => void;
}

function DescriptionField({ value, error, onChange, onBlur }: DescriptionFieldProps) {
  const t = useVoiceText();
  const id = useId();
  return (
    <FieldFrame
      id={id}
      label={`${t("voice:create.description")} (${t("voice:create.optional")})`}
      error={error}
      control={
        <textarea
          id={id}
          rows={3}
          value={value}
          {...describeControl(id, error)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={onBlur}
        />
      }
    />
  );
}
