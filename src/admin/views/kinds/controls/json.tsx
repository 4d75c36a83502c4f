import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { textCell, toProse } from "../cell-value.ts";
import { type ControlProps, FieldItem, type FieldKind, type Kinds } from "../kind.tsx";
import { Area, type AreaProps } from "../text-input.tsx";

/** Where a text stops being JSON: line and column from 1, and what stands there. */
export interface JsonFault {
  line: number;
  column: number;
  near: string;
}

const NEAR_CHARS = 20;

/** Engines name the place in words of their own: an offset, or line and column. */
function findOffset(text: string, message: string): number {
  const byLine = /line (\d+) column (\d+)/.exec(message);
  if (byLine) {
    const before = text.split("\n").slice(0, Number(byLine[1]) - 1);
    return before.reduce((sum, line) => sum + line.length + 1, 0) + Number(byLine[2]) - 1;
  }
  const byOffset = /position (\d+)/.exec(message);
  return byOffset ? Number(byOffset[1]) : text.length;
}

/** @returns undefined for JSON and for nothing at all; `end` where the text breaks off. */
export function findJsonFault(text: string): JsonFault | "end" | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const offset = findOffset(text, error instanceof Error ? error.message : "");
    const rest = text.slice(offset);
    if (rest.trim() === "") return "end";
    const lines = text.slice(0, offset).split("\n");
    return {
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
      near: rest.split("\n")[0]?.slice(0, NEAR_CHARS).trim() || "↵",
    };
  }
}

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

const json: FieldKind = {
  types: ["JSONField"],
  Control: JsonControl,
  toInput: (value) => (value === null || value === undefined ? "" : JSON.stringify(value, null, 2)),
  toWire: (input) => parseJson(String(input ?? "")),
  toCell: (value) => (typeof value === "object" ? textCell(JSON.stringify(value)) : undefined),
  toProse: (value) => toProse(value) ?? JSON.stringify(value, null, 2),
};

export const kinds: Kinds = { json };
