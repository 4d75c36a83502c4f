import { Switch } from "antd";
import type { FieldInfo } from "#contract/content/models.ts";
import { Cell } from "./cell.tsx";
import { type ControlDefinition, type ControlProps, FieldItem } from "./control.tsx";

function SwitchControl({ field }: ControlProps) {
  // A switch always has a value, so `required` says nothing here.
  return (
    <FieldItem field={{ ...field, required: false }} valuePropName="checked">
      <Switch />
    </FieldItem>
  );
}

export const toggle: ControlDefinition = {
  Control: SwitchControl,
  toInput: (value) => value === true,
  toWire: (input) => input === true,
};

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
