import type { SelectProps } from "antd";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";
import { type Related, toRelated, toRelatedRows } from "./related.ts";
import { RelatedSelect } from "./related-select.tsx";

interface InputProps<Value> extends Omit<SelectProps, "value" | "onChange"> {
  relatedModel: number;
  /** Given by the form item. */
  value?: Value;
  onChange?: (value: Value) => void;
}

function OneInput({ value, onChange, ...rest }: InputProps<Related | null>) {
  return (
    <RelatedSelect {...rest} value={value ? [value] : []} onChange={([row]) => onChange?.(row ?? null)} />
  );
}

function ManyInput({ value = [], onChange, ...rest }: InputProps<Related[]>) {
  return <RelatedSelect {...rest} isMultiple value={value} onChange={(rows) => onChange?.(rows)} />;
}

function RelationControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <OneInput relatedModel={field.related_model ?? 0} allowClear={!field.required} />
    </FieldItem>
  );
}

function RelationsControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <ManyInput relatedModel={field.related_model ?? 0} allowClear={!field.required} />
    </FieldItem>
  );
}

export const relation: ControlDefinition = {
  Control: RelationControl,
  toInput: toRelated,
  toWire: (input) => toRelated(input)?.id ?? null,
};
export const relations: ControlDefinition = {
  Control: RelationsControl,
  toInput: toRelatedRows,
  toWire: (input) => toRelatedRows(input).map(({ id }) => id),
};
