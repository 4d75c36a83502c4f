import { Form, type FormInstance } from "antd";
import { useRef, useState } from "react";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { inputPaths } from "../kinds/field-errors.ts";
import { changedFields, type Inputs, toInputs } from "../kinds/registry.ts";
import { reportTyped } from "../kinds/text-input.tsx";

/** The inputs of a form beside the version of the record that they grew out of. */
export interface FormInputs {
  form: FormInstance<Inputs>;
  initial: Inputs;
  /** What is typed now. */
  read: () => Inputs;
  /** The stored values that `read` is compared with. */
  readBase: () => Inputs;
  /** From now on these are the stored values. */
  setBase: (inputs: Inputs) => void;
  /** Puts values into the inputs, and takes away the errors of what stood there. */
  put: (inputs: Inputs) => void;
  /** Names of changed fields. Read at the moment of asking, so that nothing is drawn for each key. */
  changed: () => string[];
  focusFirst: (name?: string) => void;
}

/** `record`: what the inputs begin with, a copy's original too. `typed`: what was typed elsewhere and goes on here. */
export function useFormInputs(
  source: RecordSource,
  record: ModelRecord | null,
  typed: Inputs = {},
): FormInputs {
  const [form] = Form.useForm<Inputs>();
  const [stored] = useState(() => toInputs(source, record));
  const [initial] = useState(() => ({ ...stored, ...typed }));
  const base = useRef(stored);
  const read = (): Inputs => {
    reportTyped();
    return { ...base.current, ...form.getFieldsValue(true) };
  };
  return {
    form,
    initial,
    read,
    readBase: () => base.current,
    setBase(inputs) {
      base.current = inputs;
    },
    put(inputs) {
      // antd's type for values has no room for unknown ones.
      form.setFieldsValue(inputs as Parameters<typeof form.setFieldsValue>[0]);
      const faulty = form.getFieldsError().filter(({ errors }) => errors.length > 0);
      form.setFields(faulty.map(({ name }) => ({ name: [...name], errors: [] })));
    },
    changed: () => changedFields(source, base.current, read()),
    focusFirst(name) {
      const paths = source.fields.flatMap(inputPaths);
      const path = paths.find(([field]) => field === name) ?? paths[0];
      if (path) form.focusField([...path]);
    },
  };
}
