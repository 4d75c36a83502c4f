import { Input } from "antd";
import { useId } from "react";

const MAX_CHARS = 500;

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter was pressed and there is a reason. */
  onConfirm: () => void;
  /** Has the focus when it appears. */
  autoFocus?: boolean;
}

/** Why something is done, for whoever reads the log later. */
export function ReasonField({ label, value, onChange, onConfirm, autoFocus = false }: Props) {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        autoFocus={autoFocus}
        required
        maxLength={MAX_CHARS}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPressEnter={() => value.trim() !== "" && onConfirm()}
      />
    </p>
  );
}
