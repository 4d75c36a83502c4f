import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { getPasswordStrength } from "#contract/accounts/account-rules.ts";
import { describeControl, FieldFrame } from "../../ui/text-field.tsx";
import { useAccountText } from "../account-area.tsx";

interface IndicatorProps {
  /** Undefined: there is nothing to say yet. */
  isGood: boolean | undefined;
  good: string;
  bad: string;
}

/** Says in words and by a sign whether what is being typed fits; announced politely when that changes. */
export function Indicator({ isGood, good, bad }: IndicatorProps) {
  return (
    <div className="indicator" role="status" data-good={isGood}>
      {isGood !== undefined && (
        <>
          <span aria-hidden="true">{isGood ? "✓ " : "○ "}</span>
          {isGood ? good : bad}
        </>
      )}
    </div>
  );
}

/** Whether caps lock is on while somebody types into a field; only key events say so. */
function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  const note = (event: KeyboardEvent) => setIsOn(event.getModifierState("CapsLock"));
  return { isOn, handlers: { onKeyDown: note, onKeyUp: note, onBlur: () => setIsOn(false) } };
}

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

const LEVELS = ["very_weak", "weak", "medium", "strong"] as const;

/** Bars and the documented label of a password that is being typed; nothing for an empty one. */
function PasswordStrength({ password }: { password: string }) {
  const t = useAccountText();
  const strength = password ? getPasswordStrength(password) : undefined;
  const filled = strength ? LEVELS.indexOf(strength) + 1 : 0;
  return (
    <div className="strength" data-strength={strength}>
      <div className="strength-bars" aria-hidden="true">
        {LEVELS.map((level, index) => (
          <span key={level} data-filled={index < filled || undefined} />
        ))}
      </div>
      <div role="status">
        {strength && (
          <>
            <span className="visually-hidden">{t("account:strength.title")}</span>
            {t(`account:strength.${strength}`)}
          </>
        )}
      </div>
    </div>
  );
}

interface NewPasswordFieldsProps {
  /** What stands in the two fields now. */
  password: string;
  repeated: string;
  errors: { password?: string | undefined; repeated?: string | undefined };
  /** Names of the controls; those of registration unless given. */
  names?: { password: string; repeated: string };
  labels?: { password: string; repeated: string };
}

const NAMES = { password: "password", repeated: "password_confirm" };

/** A new password and its repetition, with strength and match as they are typed (specification A 2.8). */
export function NewPasswordFields({
  password,
  repeated,
  errors,
  names = NAMES,
  labels,
}: NewPasswordFieldsProps) {
  const t = useAccountText();
  const isMatch = repeated && !errors.repeated ? repeated === password : undefined;
  return (
    <>
      <PasswordField
        label={labels?.password ?? t("account:password.label")}
        name={names.password}
        autoComplete="new-password"
        required
        error={errors.password}
        note={t("account:password.rule")}
      >
        {/* Beside a refusal, "Strong" would be a contradiction; the next input takes the refusal away. */}
        <PasswordStrength password={errors.password ? "" : password} />
      </PasswordField>
      <PasswordField
        label={labels?.repeated ?? t("account:password.repeat")}
        name={names.repeated}
        autoComplete="new-password"
        required
        error={errors.repeated}
      >
        <Indicator isGood={isMatch} good={t("account:password.match")} bad={t("account:password.noMatch")} />
      </PasswordField>
    </>
  );
}
