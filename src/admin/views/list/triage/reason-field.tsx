import { Input, type InputRef } from "antd";
import { type Ref, useId } from "react";

const MAX_CHARS = 500;

interface ReasonFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter was pressed and there is a reason. */
  onConfirm: () => void;
  ref?: Ref<InputRef>;
}

/** Why something is done, for whoever reads the log later. */
export function ReasonField({ label, value, onChange, onConfirm, ref }: ReasonFieldProps) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        ref={ref}
        required
        maxLength={MAX_CHARS}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPressEnter={() => value.trim() !== "" && onConfirm()}
      />
    </p>
  );
}
