import "./text-area.css";
import { type ComponentProps, type ReactNode, useId } from "react";
import { describeControl, FieldFrame } from "./text-field.tsx";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "id" | "className" | "children"> {
  label: string;
  error?: string | undefined;
  /** Describes the field too: a counter, for example. */
  note?: ReactNode;
}

/** A field for several lines, with its label above, its error and a note below, all tied to it for screen readers. */
export function TextArea({ label, error, note, ...textarea }: TextAreaProps) {
  const id = useId();
  const noteId = note ? `${id}-note` : undefined;
  const control = <textarea {...textarea} id={id} {...describeControl(id, error, noteId)} />;
  return (
    <FieldFrame id={id} label={label} error={error} control={control}>
      {note && (
        <div className="field-note" id={noteId}>
          {note}
        </div>
      )}
    </FieldFrame>
  );
}
