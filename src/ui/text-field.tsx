import { type ComponentProps, type ReactNode, useId } from "react";
import { describeControl, FieldFrame } from "./field-frame.tsx";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id" | "className"> {
  label: string;
  error?: string | undefined;
  /** Stands below the field, for example a switch that belongs to it. */
  children?: ReactNode;
}

/** A field for one line, with its label above and its error below, both tied to it for screen readers. */
export function TextField({ label, error, children, ...input }: TextFieldProps) {
  const id = useId();
  const control = <input {...input} id={id} {...describeControl(id, error)} />;
  return (
    <FieldFrame id={id} label={label} error={error} control={control}>
      {children}
    </FieldFrame>
  );
}
