import { Switch } from "antd";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";

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
