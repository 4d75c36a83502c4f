import type { ComponentType } from "react";
import type { FieldInfo } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";

export interface ControlProps {
  field: FieldInfo;
  model: RecordSource;
}

/**
 * One kind of form control. `toInput` turns a value of the wire into what the inputs hold (never undefined, so that they stay
 * controlled); `toWire` turns that back, null for what is empty. A field changed when its input changed.
 */
export interface ControlDefinition {
  Control: ComponentType<ControlProps>;
  toInput(value: unknown): unknown;
  toWire(input: unknown, field: FieldInfo): unknown;
}
