import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";
import { textValue } from "./text.tsx";
import { TextInput } from "./text-input.tsx";

/** Keeps the input at years of four digits, as they travel. */
const LAST_DAY = "9999-12-31";

function DateControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="date" max={LAST_DAY} />
    </FieldItem>
  );
}

export const date: ControlDefinition = { Control: DateControl, ...textValue };
