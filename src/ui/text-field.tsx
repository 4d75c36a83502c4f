import { type ComponentProps, type ReactNode, useId } from "react";
import { describeControl, FieldFrame } from "./field-frame.tsx";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  label: string;
  error?: string | undefined;
  /** Describes the field too: a rule or a counter, for example. */
  note?: ReactNode;
  /** Stands below the field, for example a switch that belongs to it. */
  children?: ReactNode;
}

/** A field for one line, with its label above, its error and a note below, all tied to it for screen readers. */
export function TextField({ label, error, note, children, ...input }: TextFieldProps) {
  const id = useId();
  const noteId = note ? `${id}-note` : undefined;
  const control = <input {...input} id={id} {...describeControl(id, error, noteId)} />;
  return (
    <FieldFrame id={id} label={label} error={error} control={control}>
      {note && (
        <div className="field-note" id={noteId}>
          {note}
        </div>
      )}
      {children}
    </FieldFrame>
  );
}
