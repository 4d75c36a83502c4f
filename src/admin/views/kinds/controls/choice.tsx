import { Select, type SelectProps, Switch } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import { useSelectBoxWithoutRequired } from "../../../ui/accessibility.ts";
import { type ControlProps, FieldItem, type FieldKind, type FilterProps, type Kinds } from "../kind.tsx";
import { splitValues } from "../related-select.tsx";

/** From so many on, typing finds a choice faster than reading. */
const SEARCH_FROM = 8;

type Chosen = string | string[] | null;

interface ChoiceSelectProps extends Pick<SelectProps, "id" | "className" | "mode" | "allowClear"> {
  field: FieldInfo;
  /** Given by the form item. */
  value?: Chosen;
  onChange?: (value: Chosen) => void;
}

/** Values that no choice has any more stay choices of a record that has them, so that looking at it changes nothing. */
function useOptions({ choices }: FieldInfo, value: Chosen | undefined) {
  const [first] = useState(value);
  const known = new Set(choices.map((choice) => choice.value));
  const unknown = [...new Set([first ?? [], value ?? []].flat())].filter((given) => !known.has(given));
  return [...choices, ...unknown.map((given) => ({ value: given, label: given }))];
}

/** The choices of a field by their names; `mode="multiple"` takes several, in the order of the choices. */
function ChoiceSelect({ field, onChange, ...rest }: ChoiceSelectProps) {
  const { t } = useTranslation();
  const options = useOptions(field, rest.value);
  useSelectBoxWithoutRequired(rest.id);
  return (
    <Select<Chosen>
      optionFilterProp="label"
      showSearch={rest.mode === "multiple" || options.length >= SEARCH_FROM}
      placeholder={t("form.choose")}
      notFoundContent={t("states.noMatches")}
      {...rest}
      options={options}
      onChange={(next) =>
        onChange?.(
          Array.isArray(next)
            ? options.map((option) => option.value).filter((given) => next.includes(given))
            : (next ?? null),
        )
      }
    />
  );
}

function ChoiceControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <ChoiceSelect field={field} className="short-input" allowClear={!field.required} />
    </FieldItem>
  );
}

function ChoicesControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <ChoiceSelect field={field} mode="multiple" allowClear={!field.required} />
    </FieldItem>
  );
}

function ChoiceFilter({ id, field, isSeveral, value, onChange }: FilterProps) {
  if (isSeveral) {
    return (
      <ChoiceSelect
        id={id}
        field={field}
        mode="multiple"
        value={splitValues(value)}
        onChange={(next) => onChange([next ?? []].flat().join(","))}
      />
    );
  }
  return (
    <ChoiceSelect
      id={id}
      field={field}
      value={value || null}
      onChange={(next) => onChange(String(next ?? ""))}
    />
  );
}

const texts = z.array(z.string());
const filter = { Filter: ChoiceFilter, filtersSeveral: true };

const choice: FieldKind = {
  types: ["ChoiceField"],
  ...filter,
  Control: ChoiceControl,
  toInput: (value) =>
    typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : null,
  /** Choices are texts; one of a number travels as a number. */
  toWire: (input, { type }) =>
    typeof input === "string" && type === "IntegerField" ? Number(input) : (input ?? null),
};

const choices: FieldKind = {
  types: ["MultipleChoiceField"],
  ...filter,
  Control: ChoicesControl,
  toInput: (value) => texts.safeParse(value).data ?? [],
  toWire: (input) => texts.safeParse(input).data ?? [],
};

function SwitchControl({ field }: ControlProps) {
  // A switch always has a value, so `required` says nothing here.
  return (
    <FieldItem field={{ ...field, required: false }} valuePropName="checked">
      <Switch />
    </FieldItem>
  );
}

const toggle: FieldKind = {
  types: ["BooleanField"],
  Control: SwitchControl,
  toInput: (value) => value === true,
  toWire: (input) => input === true,
  cellClass: "fixed-cell",
  isYesNo: true,
};

export const kinds: Kinds = { choice, choices, switch: toggle };
