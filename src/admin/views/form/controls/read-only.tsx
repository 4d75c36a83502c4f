import type { FieldInfo } from "#contract/models.ts";
import { Cell } from "../../kinds/cell.tsx";
import type { ControlDefinition, ControlProps } from "../../kinds/control.tsx";
import { FieldItem } from "./field-item.tsx";

interface ReadOnlyValueProps {
  field: FieldInfo;
  /** Given by the form item. */
  id?: string;
  value?: unknown;
}

/** An `output` can be what a label names. */
function ReadOnlyValue({ field, id, value }: ReadOnlyValueProps) {
  return (
    <output id={id}>
      <Cell field={field} value={value} />
    </output>
  );
}

function ReadOnlyControl({ field }: ControlProps) {
  return (
    <FieldItem field={{ ...field, required: false }}>
      <ReadOnlyValue field={field} />
    </FieldItem>
  );
}

export const readOnly: ControlDefinition = {
  Control: ReadOnlyControl,
  toInput: (value) => value ?? null,
  toWire: (input) => input,
};
