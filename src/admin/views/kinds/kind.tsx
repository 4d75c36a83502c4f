import { Form, type FormItemProps } from "antd";
import type { TFunction } from "i18next";
import { type ComponentType, type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { Control, FieldInfo } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { OwnCell, SharedCell, TextCell } from "./cell-value.ts";
import { type InputPath, RefusalsContext } from "./field-errors.ts";

export interface ControlProps {
  field: FieldInfo;
  source: RecordSource;
}

export interface FilterProps {
  id: string;
  field: FieldInfo;
  /** Several values are wanted, parted by commas. */
  isSeveral: boolean;
  /** As it travels: text. */
  value: string;
  onChange: (value: string) => void;
}

/** What every cell is drawn with. */
export interface CellProps {
  field: FieldInfo;
  value: unknown;
  /** Inside a link already: a file shows its name without a link of its own. */
  isLinked?: boolean;
  /** Long texts too are shown to their end, as there is room for them. */
  isWhole?: boolean;
  /** Address of a related record; undefined where the reader may not see it. */
  toRelated?: (model: number, id: number) => string | undefined;
  t: TFunction;
  lang: Language;
}

/**
 * All that the console knows of one kind of field. A file of `controls/` has one, or a few that are close; the registry finds
 * it there, and nothing else lists it. What a kind doesn't say is as for a text.
 */
export interface FieldKind<Own extends OwnCell = OwnCell> {
  /** Documented types of values that show as this kind where a field names no control of its own (`read-only`). */
  types: readonly string[];

  /** In a form. */
  Control: ComponentType<ControlProps>;
  /** A value of the wire as the inputs hold it: never undefined, so that they stay controlled. A field changed when this did. */
  toInput(value: unknown): unknown;
  /** The way back; null for what is empty. */
  toWire(input: unknown, field: FieldInfo): unknown;

  /** In a list; undefined for a value that is none of this kind, which shows as what it is. Never for an empty one. */
  toCell?(value: unknown, field: FieldInfo, lang: Language): Own | SharedCell | undefined;
  /** Draws a cell of the kind's own. Without hooks: a page of a list has a thousand. */
  drawCell?(cell: Own, props: CellProps): ReactNode;
  /** Draws a cell of text in its own way. */
  drawText?(cell: TextCell, props: CellProps): ReactNode;
  /** `fixed-cell`: never broken into lines. Without it: by whether the field has choices. */
  cellClass?: "number-cell" | "fixed-cell";

  /** Input of a filter's value. Without it: the field's choices, the rows that it relates to, or a text. */
  Filter?: ComponentType<FilterProps>;
  /** `Filter` takes several values too; without it they are typed as text. */
  filtersSeveral?: boolean;
  /** Filters ask yes or no. */
  isYesNo?: boolean;
  /** A filter's value as people write it. */
  toFilterText?(value: string, lang: Language): string;

  /** A changed value as text whose words are compared; undefined where it is none. Without it both values are shown. */
  toProse?(value: unknown): string | undefined;
}

/** Controls that write. `read-only` is none: such a field shows as its type does. */
export type WritingControl = Exclude<Control, "read-only">;

export type Kinds = Readonly<Partial<Record<WritingControl, FieldKind>>>;

type Rules = NonNullable<FormItemProps["rules"]>;

/** For as long as an input holds a value that the server has refused, it says why. */
export function useRefusalRule(): (path: InputPath) => Rules {
  const refusals = useContext(RefusalsContext);
  return (path) => [
    {
      validator: async (_rule: unknown, value: unknown) => {
        const message = refusals?.find(path, value);
        if (message !== undefined) throw new Error(message);
      },
    },
  ];
}

interface FieldItemProps extends Pick<FormItemProps, "children" | "valuePropName"> {
  field: FieldInfo;
  rules?: Rules;
  /** How to write a value of this kind, after the field's own help. */
  hint?: string;
}

/** The rules that every control of one input shares. The server checks all of it again. */
function useFieldRules(field: FieldInfo): Rules {
  const { t } = useTranslation();
  const rules: Rules = [];
  if (field.required) rules.push({ required: true, message: t("form.required") });
  return rules;
}

/** Longest text in characters, as a rule and not as a limit of the input: pasted text must not be cut in silence. */
export function useLengthRule(field: FieldInfo): Rules {
  const { t } = useTranslation();
  const max = field.max_length;
  if (max === null) return [];
  return [{ max, message: t("form.tooLong", { count: max }) }];
}

/** Label, input, help and errors of a field with one input. */
export function FieldItem({ field, rules = [], hint, children, ...item }: FieldItemProps) {
  const shared = useFieldRules(field);
  const toRefusalRule = useRefusalRule();
  return (
    <Form.Item
      name={[field.name]}
      label={field.verbose_name}
      extra={[field.help_text, hint].filter(Boolean).join(" ") || null}
      rules={[...shared, ...rules, ...toRefusalRule([field.name])]}
      {...item}
    >
      {children}
    </Form.Item>
  );
}

/** Links inside a row do their own work, not the row's. */
export const stopClick = (event: { stopPropagation: () => void }) => event.stopPropagation();

/** A cell of text, cut unless there is room; a text of the other language says so. `draw` has its words. */
export function drawWords(
  cell: TextCell,
  { isWhole, t, lang }: CellProps,
  draw: (words: string) => ReactNode = (words) => words,
): ReactNode {
  return (
    <span title={isWhole ? undefined : cell.full} lang={cell.lang}>
      {draw(isWhole ? (cell.full ?? cell.text) : cell.text)}
      {cell.lang && (
        <span
          className="language-tag"
          lang={lang}
          title={t("cell.onlyIn", { language: t(`languages.${cell.lang}`) })}
        >
          {cell.lang.toUpperCase()}
        </span>
      )}
    </span>
  );
}
