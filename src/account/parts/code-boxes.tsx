import { type Ref, useId } from "react";
import { LIMITS } from "#contract/limits.ts";
import { useAccountText } from "../account-text.tsx";
import { type CodeBoxesEvents, type CodeBoxesHandle, useCodeBoxes } from "./use-code-boxes.ts";

interface CodeBoxesProps extends CodeBoxesEvents {
  label: string;
  error?: string | undefined;
  /** The code is being looked at: nothing can be changed. */
  isBusy?: boolean;
  ref?: Ref<CodeBoxesHandle>;
}

const POSITIONS = Array.from({ length: LIMITS.codeDigits }, (_, index) => index);

/**
 * A code that came by mail, a box for each digit (specification A 2.9). The first takes what a phone suggests, and any box
 * a whole pasted code; none limits its length, which would cut those.
 */
export function CodeBoxes({ label, error, isBusy = false, ref, ...events }: CodeBoxesProps) {
  const t = useAccountText();
  const id = useId();
  const { groupRef, toHandlers } = useCodeBoxes(events, ref);
  return (
    <fieldset className="code-boxes" ref={groupRef} aria-describedby={error && `${id}-error`}>
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
    </fieldset>
  );
}
