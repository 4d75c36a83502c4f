import type { FieldInfo, FilterOperator } from "#contract/models.ts";

export interface FilterValueProps {
  id: string;
  field: FieldInfo | undefined;
  operator: FilterOperator;
  /** As it travels: text; `in` and `range` are parted by commas. */
  value: string;
  onChange: (value: string) => void;
}

/** `isnull` and switches answer yes or no, whatever the field holds. */
export function isYesNo(field: FieldInfo | undefined, operator: FilterOperator): boolean {
  return operator === "isnull" || field?.control === "switch";
}

/** The parts of a value of `in`. */
export function splitValues(value: string): string[] {
  return value.split(",").filter((part) => part !== "");
}
