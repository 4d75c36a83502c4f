import "./row-button.css";
import { Button } from "antd";
import type { ReactNode } from "react";

interface RowButtonProps {
  icon: ReactNode;
  /** What it does, with the name of the row. */
  label: string;
  /** Why it can't be used now; undefined: it can. */
  blocked?: string | undefined;
  danger?: boolean;
  onClick: () => void;
}

/** One action of a row. A blocked one keeps the focus, so that everybody gets to know why. */
export function RowButton({ icon, label, blocked, danger = false, onClick }: RowButtonProps) {
  return (
    <Button
      type="text"
      size="small"
      className={blocked === undefined ? "row-button" : "row-button is-blocked"}
      danger={danger}
      icon={icon}
      aria-label={label}
      title={blocked ?? label}
      {...(blocked !== undefined && { "aria-disabled": true, "aria-description": blocked })}
      // The second click of a double click would do it twice: open a form two entries of the history deep.
      onClick={({ detail }) => blocked === undefined && detail <= 1 && onClick()}
    />
  );
}
