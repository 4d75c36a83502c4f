import { ExportOutlined } from "@ant-design/icons";
import type { SelectProps } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useToRelated } from "../../models/use-models.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { type ControlDefinition, type ControlProps, FieldItem } from "./control.tsx";
import { type Related, RelatedSelect, toRelated, toRelatedRows } from "./related-select.tsx";

interface InputProps<Value> extends Omit<SelectProps, "value" | "onChange"> {
  relatedModel: number;
  /** Given by the form item. */
  value?: Value;
  onChange?: (value: Value) => void;
}

/** The chosen row's own form, beside this one: what is typed here stays. */
function OpenRelated({ relatedModel, row }: { relatedModel: number; row: Related }) {
  const { t } = useTranslation();
  const address = useToRelated()(relatedModel, row.id);
  if (address === undefined) return null;
  return (
    <Link
      className="open-related"
      to={address}
      target="_blank"
      aria-label={t("form.openRelated", { name: row.repr })}
    >
      <ExportOutlined {...DECORATIVE} />
    </Link>
  );
}

function OneInput({ value, onChange, ...rest }: InputProps<Related | null>) {
  return (
    <div className="related-control">
      <RelatedSelect {...rest} value={value ? [value] : []} onChange={([row]) => onChange?.(row ?? null)} />
      {value && <OpenRelated relatedModel={rest.relatedModel} row={value} />}
    </div>
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
