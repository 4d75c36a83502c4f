import { Form, type FormItemProps } from "antd";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { FieldInfo } from "#contract/content/models.ts";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import { localizedText as localizedTextOfWire } from "#contract/values.ts";
import { localizedCell, toProse } from "../cell-value.ts";
import { type ControlProps, type FieldKind, type Kinds, useLengthRule, useRefusalRule } from "../kind.tsx";
import { Area, TextInput } from "../text-input.tsx";

type Sides<T> = Record<Language, T>;
type Rules = NonNullable<FormItemProps["rules"]>;

const textSides = z.object({ en: z.nullish(z.string()), tr: z.nullish(z.string()) });
const listSides = z.object({ en: z.nullish(z.array(z.string())), tr: z.nullish(z.array(z.string())) });

/** A required localized field is filled when one language is: the other one falls back to it. */
function useOneSideRule(field: FieldInfo): Rules {
  const { t } = useTranslation();
  if (!field.required) return [];
  return [
    ({ getFieldValue }) => ({
      validator: () => {
        const isFilled = LANGUAGES.some(
          (lang) => String(getFieldValue([field.name, lang]) ?? "").trim() !== "",
        );
        return isFilled ? Promise.resolve() : Promise.reject(new Error(t("form.oneLanguageMissing")));
      },
    }),
  ];
}

interface PairProps {
  field: FieldInfo;
  rules: Rules;
  hint?: string;
  input: (lang: Language) => ReactElement;
}

/** English and Turkish beside each other (below each other on phones), each with its own label and errors. */
export function LocalizedPair({ field, rules, hint, input }: PairProps) {
  const { t } = useTranslation();
  const oneSide = useOneSideRule(field);
  const toRefusalRule = useRefusalRule();
  const help = [field.help_text, hint, field.required ? t("form.oneLanguage") : ""].filter(Boolean).join(" ");
  return (
    <fieldset className="localized-pair">
      <legend className="visually-hidden">{field.verbose_name}</legend>
      {LANGUAGES.map((lang, index) => (
        <Form.Item
          key={lang}
          name={[field.name, lang]}
          label={t("form.localizedLabel", { field: field.verbose_name, language: t(`languages.${lang}`) })}
          rules={[...(index === 0 ? oneSide : []), ...rules, ...toRefusalRule([field.name, lang])]}
        >
          {input(lang)}
        </Form.Item>
      ))}
      {help !== "" && <p className="field-help">{help}</p>}
    </fieldset>
  );
}

function LocalizedTextControl({ field }: ControlProps) {
  return (
    <LocalizedPair field={field} rules={useLengthRule(field)} input={(lang) => <TextInput lang={lang} />} />
  );
}

function LocalizedTextAreaControl({ field }: ControlProps) {
  return (
    <LocalizedPair
      field={field}
      rules={useLengthRule(field)}
      input={(lang) => <Area lang={lang} rows={4} />}
    />
  );
}

function LocalizedListControl({ field }: ControlProps) {
  const { t } = useTranslation();
  const max = field.max_length;
  const rule = {
    validator: (_rule: unknown, lines: string) =>
      max !== null && toItems(lines).some((item) => item.length > max)
        ? Promise.reject(new Error(t("form.lineTooLong", { count: max })))
        : Promise.resolve(),
  };
  return (
    <LocalizedPair
      field={field}
      rules={[rule]}
      hint={t("form.onePerLine")}
      input={(lang) => <Area lang={lang} rows={3} />}
    />
  );
}

function toItems(lines: unknown): string[] {
  return String(lines ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function readSides(input: unknown): Sides<string> {
  const parsed = textSides.safeParse(input);
  return { en: parsed.data?.en ?? "", tr: parsed.data?.tr ?? "" };
}

/** A side without text is null on the wire; a value without any side is null as a whole. */
function toSides<T>(input: unknown, toSide: (text: string) => T | null): Sides<T | null> | null {
  const { en, tr } = readSides(input);
  const sides = { en: toSide(en), tr: toSide(tr) };
  return sides.en === null && sides.tr === null ? null : sides;
}

/** What texts in both languages have in common, however they are written. */
export const localizedTextValue: Pick<FieldKind, "toInput" | "toWire" | "toCell" | "toProse"> = {
  toInput: readSides,
  toWire: (input) => toSides(input, (side) => (side.trim() === "" ? null : side)),
  toCell(value, _field, lang) {
    const { data } = localizedTextOfWire.safeParse(value);
    return data && localizedCell({ en: data.en ?? "", tr: data.tr ?? "" }, lang);
  },
  toProse,
};

const localizedList: FieldKind = {
  types: ["LocalizedListField"],
  Control: LocalizedListControl,
  toInput(value) {
    const parsed = listSides.safeParse(value);
    return { en: parsed.data?.en?.join("\n") ?? "", tr: parsed.data?.tr?.join("\n") ?? "" };
  },
  toWire: (input) =>
    toSides(input, (side) => {
      const items = toItems(side);
      return items.length === 0 ? null : items;
    }),
  toCell(value, _field, lang) {
    const { data } = listSides.safeParse(value);
    return data && localizedCell({ en: data.en?.join(", ") ?? "", tr: data.tr?.join(", ") ?? "" }, lang);
  },
  toProse,
};

export const kinds: Kinds = {
  "localized-text": { types: ["LocalizedCharField"], Control: LocalizedTextControl, ...localizedTextValue },
  "localized-textarea": {
    types: ["LocalizedTextField"],
    Control: LocalizedTextAreaControl,
    ...localizedTextValue,
  },
  "localized-list": localizedList,
};
