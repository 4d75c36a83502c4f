import { Input, InputNumber, Switch } from "antd";
import { useTranslation } from "react-i18next";
import { toLocalTime, toMoment } from "../../local-time.ts";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";

const JSON_ROWS = { minRows: 4, maxRows: 20 };

function NumberControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <InputNumber className="short-input" precision={0} />
    </FieldItem>
  );
}

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
      <Input className="short-input" type="datetime-local" step={1} />
    </FieldItem>
  );
}

function parseJson(text: string): unknown {
  return text.trim() === "" ? null : JSON.parse(text);
}

function JsonControl({ field }: ControlProps) {
  const { t } = useTranslation();
  const rule = {
    validator: async (_rule: unknown, text: string) => {
      try {
        parseJson(text);
      } catch (error) {
        throw new Error(t("form.json", { reason: error instanceof Error ? error.message : "" }));
      }
    },
  };
  return (
    <FieldItem field={field} rules={[rule]}>
      <Input.TextArea className="code-input" autoSize={JSON_ROWS} spellCheck={false} />
    </FieldItem>
  );
}

export const number: ControlDefinition = {
  Control: NumberControl,
  toInput: (value) => (typeof value === "number" ? value : null),
  toWire: (input) => input ?? null,
};
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
export const json: ControlDefinition = {
  Control: JsonControl,
  toInput: (value) => (value === null || value === undefined ? "" : JSON.stringify(value, null, 2)),
  toWire: (input) => parseJson(String(input ?? "")),
};
