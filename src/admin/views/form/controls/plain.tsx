import { Switch } from "antd";
import { toLocalTime, toMoment } from "../../local-time.ts";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";
import { TextInput } from "./text-input.tsx";

function SwitchControl({ field }: ControlProps) {
  // A switch always has a value, so `required` says nothing here.
  return (
    <FieldItem field={{ ...field, required: false }} valuePropName="checked">
      <Switch />
    </FieldItem>
  );
}

function DateTimeControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="datetime-local" step={1} />
    </FieldItem>
  );
}

export const toggle: ControlDefinition = {
  Control: SwitchControl,
  toInput: (value) => value === true,
  toWire: (input) => input === true,
};
export const datetime: ControlDefinition = {
  Control: DateTimeControl,
  toInput: toLocalTime,
  toWire: (input) => toMoment(String(input ?? "")) || null,
};
