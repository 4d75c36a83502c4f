import { Input } from "antd";
import { useId } from "react";

const MAX_CHARS = 500;

/** Why something is done, for whoever reads the log later. */
export function ReasonField(props: { label: string; value: string; onChange: (value: string) => void }) {
  const { label, value, onChange } = props;
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        autoFocus
        required
        maxLength={MAX_CHARS}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </p>
  );
}
