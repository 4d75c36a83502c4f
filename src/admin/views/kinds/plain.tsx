import { Switch } from "antd";
import { FieldItem } from "../form/controls/field-item.tsx";
import type { ControlDefinition, ControlProps } from "./control.tsx";

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
