import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldFrameProps {
  /** Of the control. */
  id: string;
  label: string;
  error?: string | undefined;
  /** The control itself. */
  control: ReactNode;
  /** Stands below, for example a switch or a counter that belongs to the field. */
  children?: ReactNode;
}

/** Ties a control to its error and to what else describes it, for screen readers. */
export function describeControl(id: string, error: string | undefined, noteId?: string) {
  const ids = [error && `${id}-error`, noteId].filter(Boolean).join(" ");
  return { "aria-invalid": error ? ("true" as const) : undefined, "aria-describedby": ids || undefined };
}

/** A control with its label above and its error below. */
export function FieldFrame({ id, label, error, control, children }: FieldFrameProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {children}
    </div>
  );
}

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
