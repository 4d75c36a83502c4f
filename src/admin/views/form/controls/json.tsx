import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { ControlDefinition, ControlProps } from "../../kinds/control.tsx";
import { findJsonFault } from "../../kinds/json.tsx";
import { Area, type AreaProps } from "./area.tsx";
import { FieldItem } from "./field-item.tsx";

interface JsonInputProps extends AreaProps {
  label: string;
}

function parseJson(text: string): unknown {
  return text.trim() === "" ? null : JSON.parse(text);
}

/** JSON as text, and a button that indents it. */
function JsonInput({ label, value = "", onChange, ...rest }: JsonInputProps) {
  const { t } = useTranslation();
  const canFormat = value.trim() !== "" && findJsonFault(value) === undefined;
  return (
    <div className="json-control">
      <Area
        {...rest}
        className="code-input"
        spellCheck={false}
        value={value}
        {...(onChange && { onChange })}
      />
      <Button
        size="small"
        aria-label={`${t("form.jsonFormat")}: ${label}`}
        disabled={!canFormat}
        onClick={() => onChange?.(JSON.stringify(parseJson(value), null, 2))}
      >
        {t("form.jsonFormat")}
      </Button>
    </div>
  );
}

function JsonControl({ field }: ControlProps) {
  const { t } = useTranslation();
  const rule = {
    validator: async (_rule: unknown, text: string) => {
      const fault = findJsonFault(text);
      if (fault === "end") throw new Error(t("form.jsonEnd"));
      if (fault) throw new Error(t("form.jsonAt", { ...fault }));
    },
  };
  return (
    <FieldItem field={field} rules={[rule]}>
      <JsonInput label={field.verbose_name} />
    </FieldItem>
  );
}

export const json: ControlDefinition = {
  Control: JsonControl,
  toInput: (value) => (value === null || value === undefined ? "" : JSON.stringify(value, null, 2)),
  toWire: (input) => parseJson(String(input ?? "")),
};
