import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { describeControl, FieldFrame } from "../../ui/field-frame.tsx";
import { useAccountText } from "../account-text.tsx";
import { useCapsLock } from "./use-caps-lock.ts";

interface PasswordFieldProps
  extends Omit<ComponentProps<"input">, "id" | "className" | "type" | "autoComplete" | "ref"> {
  label: string;
  error?: string | undefined;
  autoComplete: "current-password" | "new-password";
  /** Describes the field too: what a password needs, for example. */
  note?: ReactNode;
  /** Stands below the field: the strength, for example. */
  children?: ReactNode;
}

/** A password that can be looked at; says when caps lock is on. Hidden again when its form is sent. */
export function PasswordField({ label, error, note, children, ...input }: PasswordFieldProps) {
  const t = useAccountText();
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [isShown, setIsShown] = useState(false);
  const capsLock = useCapsLock();
  const noteId = note ? `${id}-note` : undefined;

  useEffect(() => {
    // Browsers keep what was sent from a plain text field, and offer it to whoever comes next.
    const hide = () => setIsShown(false);
    const form = inputRef.current?.form;
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);

  const control = (
    <div className="password-row">
      <input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
        ref={inputRef}
        id={id}
        type={isShown ? "text" : "password"}
        {...capsLock.handlers}
        {...describeControl(id, error, noteId)}
      />
      <button
        type="button"
        className="password-toggle needs-script"
        data-replay
        aria-label={t(isShown ? "account:password.hideNamed" : "account:password.showNamed", { label })}
        // The caret stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setIsShown(!isShown)}
      >
        {t(isShown ? "account:password.hide" : "account:password.show")}
      </button>
    </div>
  );
  return (
    <FieldFrame id={id} label={label} error={error} control={control}>
      <div className="caps-lock" role="status">
        {capsLock.isOn && t("account:password.capsLock")}
      </div>
      {note && (
        <div className="field-note" id={noteId}>
          {note}
        </div>
      )}
      {children}
    </FieldFrame>
  );
}
