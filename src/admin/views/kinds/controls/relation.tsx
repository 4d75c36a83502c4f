import { ExportOutlined } from "@ant-design/icons";
import type { SelectProps } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useToRelated } from "../../../models/use-models.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { formatNumber, relatedValue, textCell } from "../cell-value.ts";
import {
  type ControlProps,
  drawWords,
  FieldItem,
  type FieldKind,
  type FilterProps,
  type Kinds,
  stopClick,
} from "../kind.tsx";
import {
  type Related,
  RelatedSelect,
  splitValues,
  toRelated,
  toRelatedRows,
  useRelatedNames,
} from "../related-select.tsx";

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

/** Related rows by their names; their ids travel. */
function RelatedFilter({ id, field, isSeveral, value, onChange }: FilterProps) {
  const relatedModel = field.related_model ?? 0;
  const ids = splitValues(value).map(Number).filter(Number.isSafeInteger);
  const names = useRelatedNames(relatedModel, ids);
  return (
    <RelatedSelect
      id={id}
      className="filter-related"
      relatedModel={relatedModel}
      isMultiple={isSeveral}
      value={ids.map((row) => ({ id: row, repr: names.get(row) ?? `#${row}` }))}
      onChange={(rows) => onChange(rows.map((row) => row.id).join(","))}
    />
  );
}

const filter = { Filter: RelatedFilter, filtersSeveral: true };

const relation: FieldKind = {
  types: ["ForeignKey"],
  ...filter,
  Control: RelationControl,
  toInput: toRelated,
  toWire: (input) => toRelated(input)?.id ?? null,
  toCell(value, _field, lang) {
    if (typeof value === "number") return textCell(formatNumber(value, lang), { isNumber: false });
    const { data } = relatedValue.safeParse(value);
    return data && textCell(data.repr, { related: data.id });
  },
  drawText(cell, props) {
    const words = drawWords(cell, props);
    const { related } = cell;
    const model = props.field.related_model;
    if (props.isLinked || related === undefined || model === null) return words;
    const address = props.toRelated?.(model, related);
    if (address === undefined) return words;
    return (
      <Link to={address} onClick={stopClick}>
        {words}
      </Link>
    );
  },
};

const relations: FieldKind = {
  types: ["ManyToManyField"],
  ...filter,
  Control: RelationsControl,
  toInput: toRelatedRows,
  toWire: (input) => toRelatedRows(input).map(({ id }) => id),
};

export const kinds: Kinds = { relation, relations };
