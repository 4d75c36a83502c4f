import { type ComponentProps, type ReactNode, useId } from "react";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  label: string;
  error?: string | undefined;
  /** Stands below the field, for example a switch that belongs to it. */
  children?: ReactNode;
}

/** A field with its label above and its error below, both tied to it for screen readers. */
export function TextField({ label, error, children, ...input }: TextFieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
      {children}
    </div>
  );
}
