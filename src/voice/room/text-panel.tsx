import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { VOICE_CHANNEL_LIMITS } from "#contract/voice/room-channel.ts";
import { PushError } from "#providers/socket/topic.ts";
import { NewTabLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import type { Call } from "../call/call.ts";
import type { InRoom } from "../call/room-state.ts";
import { useVoiceText, type VoiceText } from "../voice-context.tsx";

const ADDRESS = /https?:\/\/[^\s<>"']+/g;
/** Ends a sentence, not an address. */
const END = /[.,;:!?\]}]$/;

const count = (text: string, sign: string) => text.split(sign).length - 1;

/** Without what follows it in the sentence; a bracket belongs to it where it was opened in it. */
function trimAddress(found: string): string {
  const isOver = END.test(found) || (found.endsWith(")") && count(found, ")") > count(found, "("));
  return isOver ? trimAddress(found.slice(0, -1)) : found;
}

/** Text as it was typed, with its web addresses as links. */
function LinkedText({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = trimAddress(found);
    // Nothing behind the two slashes.
    if (address.endsWith("/") && address.split("/").length === 3) continue;
    parts.push(text.slice(end, index));
    parts.push(
      <NewTabLink key={index} href={address}>
        {address}
      </NewTabLink>,
    );
    end = index + address.length;
  }
  parts.push(text.slice(end));
  return parts;
}

/** Pixels from the end within which one reads along, and new lines scroll. */
const NEAR_END_PX = 60;

function toRefusalText(error: unknown, t: VoiceText): string {
  const reason = error instanceof PushError ? error.reason : "";
  if (reason === "too_many_messages") return t("call:fault.tooFast");
  if (reason === "not_connected" || reason === "timeout") return t("call:fault.notConnected");
  if (reason === "missing_required_fields") return t("call:fault.textCharacters");
  return t("call:fault.text", { reason: reason || t("voice:parts.error") });
}

interface TextPanelProps {
  call: Call;
  state: InRoom;
  /** The line that is being written: kept by the screen, for when the call ends under it. */
  draftOf: RefObject<string>;
  report: (userId: string, name: string, message: string) => void;
}

/** Lines to everybody in the room. They work where the sound doesn't. */
export function TextPanel({ call, state, draftOf, report }: TextPanelProps) {
  const t = useVoiceText();
  const { lang } = usePage();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const isNearEnd = useRef(true);
  const [draft, setDraft] = useState(draftOf.current);
  const [fault, setFault] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const { texts, me } = state;
  const isLong = draft.trim().length > VOICE_CHANNEL_LIMITS.textMaxChars;
  const time = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" });

  function write(text: string) {
    draftOf.current = text;
    setDraft(text);
  }

  const last = texts.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line
  useEffect(() => {
    const element = list.current;
    if (element && isNearEnd.current) element.scrollTop = element.scrollHeight;
  }, [last]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    // What was pasted may hold tabs.
    const text = draft.replaceAll(/\s+/g, " ").trim();
    if (!text || isLong || isBusy) return;
    setIsBusy(true);
    setFault("");
    // The next line can be begun while this one is on its way.
    write("");
    try {
      await call.sendText(text);
      isNearEnd.current = true;
    } catch (error) {
      setFault(toRefusalText(error, t));
      write([text, draftOf.current].filter(Boolean).join(" "));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <section className="voice-card text-panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t("call:text.title")}</h2>
      <p className="field-note">{t("call:text.note")}</p>
      {texts.length === 0 && <p className="text-empty">{t("call:text.empty")}</p>}
      <div
        ref={list}
        className="text-lines"
        role="log"
        aria-label={t("call:text.title")}
        tabIndex={texts.length > 0 ? 0 : undefined}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isNearEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        {texts.map(({ id: key, user_id, display_name, text, sent_at }) => (
          <p key={key} className={user_id === me.userId ? "text-line text-own" : "text-line"}>
            <span className="text-head">
              <strong>{user_id === me.userId ? t("call:room.you") : display_name}</strong>
              <time dateTime={sent_at}>{time.format(new Date(sent_at))}</time>
              {user_id !== me.userId && (
                <button
                  type="button"
                  className="link-button text-report"
                  aria-label={`${t("call:text.report")}: ${display_name}`}
                  onClick={() => report(user_id, display_name, text)}
                >
                  {t("call:person.report")}
                </button>
              )}
            </span>
            <span className="text-body">
              <LinkedText text={text} />
            </span>
          </p>
        ))}
      </div>
      <form className="text-form" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          {t("call:text.label")}
        </label>
        <input
          id={id}
          value={draft}
          placeholder={t("call:text.label")}
          autoComplete="off"
          aria-invalid={isLong || undefined}
          aria-describedby={`${id}-fault`}
          onChange={({ currentTarget }) => write(currentTarget.value)}
        />
        <button type="submit" className="voice-button" disabled={isBusy || isLong || !draft.trim()}>
          {t("call:text.send")}
        </button>
      </form>
      <p id={`${id}-fault`} className="field-error" role="alert">
        {isLong ? t("call:text.long", { max: VOICE_CHANNEL_LIMITS.textMaxChars }) : fault}
      </p>
    </section>
  );
}
