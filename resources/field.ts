import type { FieldInfo, FilterOperator } from "#contract/content/models.ts";

type Described = Pick<FieldInfo, "name" | "verbose_name" | "type" | "control">;
type Optional = Partial<Omit<FieldInfo, keyof Described | "operators">> & {
  operators?: readonly FilterOperator[];
};

/** A field of records that describe themselves: optional, sortable and not filtered unless given otherwise. */
export function buildField({ operators = [], ...field }: Described & Optional): FieldInfo {
  return {
    help_text: "",
    required: false,
    read_only: false,
    sortable: true,
    operators: [...operators],
    max_length: null,
    accept: [],
    related_model: null,
    choices: [],
    digits: null,
    ...field,
  };
}

/** Operators that the documented endpoints take, by what a field holds. */
export const OPERATORS_OF = {
  text: ["contains", "exact", "iexact", "startswith"],
  number: ["exact", "gt", "gte", "lt", "lte", "in", "range"],
  switch: ["exact"],
  moment: ["gte", "lte", "gt", "lt", "range"],
} as const satisfies Record<string, readonly FilterOperator[]>;

const FIXED_TEXT = { type: "CharField", control: "text", sortable: false, read_only: true } as const;

/** A text that the server alone writes. */
export function buildFixedField(
  name: string,
  verbose_name: string,
  part: Partial<FieldInfo> = {},
): FieldInfo {
  return buildField({ ...FIXED_TEXT, name, verbose_name, ...part });
}
