import "./identity.css";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type en from "#locales/en/identity.json";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import type { HttpError } from "#providers/http/http.ts";
import { Modal } from "../dialog.tsx";

export type IdentityTexts = typeof en;

/** One thing that is asked for by typing it. */
export interface TypedProof {
  label: string;
  hint?: string;
  type: "text" | "password";
  autoComplete: "one-time-code" | "current-password" | "off";
  isNumeric?: boolean;
  /** Name of the switch that leads here from the other one. */
  switchTo?: string;
}

interface IdentityDialogProps {
  texts: IdentityTexts;
  title: string;
  lead: string;
  submitLabel: string;
  /** Ways by typing, of which one is shown; none where only a passkey will do. */
  typed: readonly TypedProof[];
  /** Whose password is asked for: password managers read it. */
  username?: string;
  /** Shown below the last way by typing: what else there is to do. */
  lost?: { text: string; link: string; href: string };
  /** Undefined: there is no passkey to use. */
  onPasskey: (() => Promise<void>) | undefined;
  onTyped: (value: string) => Promise<void>;
  onCancel: () => void;
}

/**
 * By its name: the console and the public pages have a copy of the class each (vite.config.ts), and this dialog, which is in both, sees
 * only one of them.
 */
export const isHttpError = (error: unknown): error is HttpError =>
  error instanceof Error && error.name === "HttpError";

/** "You can try again in 5 minutes.", where the server said when: `failure-text.ts` has texts that the console doesn't load. */
function toWait({ retryAfterS }: HttpError, texts: IdentityTexts): string {
  if (!retryAfterS) return "";
  const isLong = retryAfterS > 7200;
  const unit = isLong ? "hour" : "minute";
  const { lang } = document.documentElement;
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return ` ${texts.wait.replace("{{time}}", format.format(Math.ceil(retryAfterS / (isLong ? 3600 : 60))))}`;
}

/** What went wrong, in words for a person: the server's own, or what browsers say of passkeys by names of errors. */
function toProblem(error: unknown, texts: IdentityTexts): string {
  if (isHttpError(error)) {
    const isWordless = error.code === "network_error" || error.message === UNKNOWN_ERROR;
    const words = isWordless ? texts.offline : (error.errors[0]?.message ?? error.message);
    return words + toWait(error, texts);
  }
  const name = error instanceof Error ? error.name : "";
  return name === "NotAllowedError" || name === "AbortError" ? texts.notUsed : texts.unsupported;
}

/** Asks somebody to show that it is them: by passkey, or by typing. What was typed stays where it was refused. */
export function IdentityDialog(props: IdentityDialogProps) {
  const { texts, title, lead, submitLabel, typed, username, lost, onPasskey, onTyped, onCancel } = props;
  const id = useId();
  const [way, setWay] = useState(0);
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const passkeyButton = useRef<HTMLButtonElement>(null);
  /** Disabled while their work goes on, buttons lose the focus; a refusal gives it back. */
  const toFocus = useRef<"typed" | "passkey">(undefined);
  const proof = typed[way];
  const other = typed.length > 1 ? typed[1 - way] : undefined;

  useEffect(() => {
    if (isBusy || !toFocus.current) return;
    const field = form.current?.querySelector<HTMLInputElement>("input:not([hidden])");
    if (toFocus.current === "passkey") passkeyButton.current?.focus();
    else field?.focus();
    toFocus.current = undefined;
  });

  async function run(by: "typed" | "passkey", prove: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setProblem("");
    setIsBusy(true);
    try {
      await prove();
    } catch (error) {
      toFocus.current = by;
      setProblem(toProblem(error, texts));
      setIsBusy(false);
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value.trim() !== "") return void run("typed", () => onTyped(value));
    toFocus.current = "typed";
    setProblem(texts.missing);
  }

  function turn(): void {
    setWay(1 - way);
    setValue("");
    setProblem("");
  }

  return (
    <Modal className="identity" aria-labelledby={`${id}-title`} onCancel={isBusy ? undefined : onCancel}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p>{lead}</p>
      {onPasskey && (
        <button
          ref={passkeyButton}
          type="button"
          className={proof ? "identity-passkey" : "identity-passkey identity-main"}
          disabled={isBusy}
          onClick={() => run("passkey", onPasskey)}
        >
          {texts.passkey}
        </button>
      )}
      {onPasskey && proof && <p className="identity-or">{texts.or}</p>}
      <form ref={form} noValidate onSubmit={submit}>
        {username !== undefined && (
          <input type="text" autoComplete="username" value={username} readOnly hidden />
        )}
        {proof && (
          <>
            <label htmlFor={`${id}-${way}`}>{proof.label}</label>
            <input
              // Another way begins anew, with the focus in it.
              key={way}
              id={`${id}-${way}`}
              // biome-ignore lint/a11y/noAutofocus: the one field of a dialog that has just opened
              autoFocus
              type={proof.type}
              autoComplete={proof.autoComplete}
              inputMode={proof.isNumeric ? "numeric" : undefined}
              autoCapitalize="none"
              spellCheck={false}
              value={value}
              aria-invalid={problem !== "" || undefined}
              aria-describedby={`${proof.hint ? `${id}-hint ` : ""}${id}-problem`}
              onChange={(event) => setValue(event.target.value)}
            />
          </>
        )}
        {proof?.hint && (
          <p className="identity-note" id={`${id}-hint`}>
            {proof.hint}
          </p>
        )}
        <p className={problem === "" ? undefined : "identity-problem"} id={`${id}-problem`} role="alert">
          {problem}
        </p>
        {other?.switchTo && (
          <button type="button" className="identity-link" disabled={isBusy} onClick={turn}>
            {other.switchTo}
          </button>
        )}
        {lost && !other?.hint && (
          <p className="identity-note">
            {lost.text} <a href={lost.href}>{lost.link}</a>
          </p>
        )}
        <div className="identity-buttons">
          <button type="button" disabled={isBusy} onClick={onCancel}>
            {texts.cancel}
          </button>
          {proof && (
            <button type="submit" className="identity-main" disabled={isBusy}>
              {isBusy ? texts.busy : submitLabel}
            </button>
          )}
        </div>
      </form>
    </Modal>
  );
}
