import { type Ref, useId } from "react";
import { LIMITS } from "#contract/limits.ts";
import { useAccountText } from "../account-text.tsx";
import { type CodeBoxesEvents, type CodeBoxesHandle, useCodeBoxes } from "./use-code-boxes.ts";

interface CodeBoxesProps extends CodeBoxesEvents {
  label: string;
  error?: string | undefined;
  /** The server took the last code for none: it never says why, so what it may be is said each time. */
  isRefused?: boolean | undefined;
  /** The code is being looked at: nothing can be changed. */
  isBusy?: boolean;
  ref?: Ref<CodeBoxesHandle>;
}

const POSITIONS = Array.from({ length: LIMITS.codeDigits }, (_, index) => index);

/**
 * A code that came by mail, a box for each digit (specification A 2.9). The first takes what a phone suggests, and any box
 * a whole pasted code; none limits its length, which would cut those.
 */
export function CodeBoxes({ label, error, isRefused, isBusy = false, ref, ...events }: CodeBoxesProps) {
  const t = useAccountText();
  const id = useId();
  const { groupRef, toHandlers } = useCodeBoxes(events, ref);
  return (
    <fieldset className="code-boxes" ref={groupRef} aria-describedby={`${id}-error ${id}-hint`}>
      <legend>{label}</legend>
      <div className="code-row">
        {POSITIONS.map((index) => (
          <input
            key={index}
            type="text"
            inputMode="numeric"
            autoComplete={index === 0 ? "one-time-code" : "off"}
            aria-label={t("account:code.digit", { number: index + 1, count: LIMITS.codeDigits })}
            aria-invalid={error ? "true" : undefined}
            readOnly={isBusy}
            required
            {...toHandlers(index)}
          />
        ))}
      </div>
      <p className="field-error" id={`${id}-error`} role="alert">
        {error}
      </p>
      <p className="field-note" id={`${id}-hint`}>
        {isRefused && t("account:code.hint")}
      </p>
    </fieldset>
  );
}
