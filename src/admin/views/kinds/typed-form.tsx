import { Form, type FormInstance, type FormProps } from "antd";
import { createContext, type ReactNode, useState } from "react";
import type { InputErrors, InputPath } from "./field-errors.ts";
import type { Inputs } from "./registry.ts";

/** Text inputs that hold what their form does not have yet, each with how it hands that over. */
interface PendingText {
  hold: (report: () => void) => void;
  release: (report: () => void) => void;
}

/** Of the form around an input; an input without one reports each key. */
export const PendingTextContext = createContext<PendingText | null>(null);

/**
 * A form whose text inputs report when typing pauses (`text-input.tsx` says why). Whatever reads, checks or fills it goes
 * through here and has the last keys: nobody else needs to think of them.
 */
export interface TypedForm {
  /** What is typed, to the last key. Never while drawing: inputs that report are drawn anew. */
  read: () => Inputs;
  /** Checks the inputs; the form's `onFinish` or `onFinishFailed` follows. */
  submit: () => void;
  /** Puts values into the inputs, and takes away the errors of what stood there. */
  put: (inputs: Inputs) => void;
  /** All inputs as they were first. */
  reset: () => void;
  /** Errors under their inputs, the first one in view and with the focus. */
  showErrors: (errors: readonly InputErrors[]) => void;
  /** Rules run when an input is left; an error that stands under a changed input goes at once. */
  forgetErrors: (changed: Inputs) => void;
  focus: (path: InputPath) => void;
  /** antd's own, for its components and hooks. What they see may lack the last keys, and follows when typing pauses. */
  antd: FormInstance<Inputs>;
  pending: PendingText;
  /** Has every input report. */
  flush: () => void;
}

/** Paths of the inputs that a change touched: `{ label: { tr: … } }` → `["label"]` and `["label", "tr"]`. */
function touchedPaths(changed: Inputs): string[][] {
  return Object.entries(changed).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [[field], ...Object.keys(value).map((part) => [field, part])]
      : [[field]],
  );
}

function createTypedForm(antd: FormInstance<Inputs>): TypedForm {
  const reports = new Set<() => void>();
  const flush = () => {
    for (const report of [...reports]) report();
  };
  const clear = (names: (string | number)[][]) => antd.setFields(names.map((name) => ({ name, errors: [] })));
  return {
    read() {
      flush();
      return antd.getFieldsValue(true);
    },
    submit() {
      flush();
      antd.submit();
    },
    put(inputs) {
      flush();
      // antd's type for values has no room for unknown ones.
      antd.setFieldsValue(inputs as Parameters<typeof antd.setFieldsValue>[0]);
      const faulty = antd.getFieldsError().filter(({ errors }) => errors.length > 0);
      clear(faulty.map(({ name }) => [...name]));
    },
    reset() {
      flush();
      antd.resetFields();
    },
    showErrors(errors) {
      const [first] = errors;
      if (!first) return;
      // antd's names are mutable arrays.
      antd.setFields(errors.map(({ name, errors: texts }) => ({ name: [...name], errors: texts })));
      antd.scrollToField([...first.name], { block: "center", focus: true });
    },
    forgetErrors(changed) {
      const mended = touchedPaths(changed).filter((name) => antd.getFieldError(name).length > 0);
      if (mended.length > 0) clear(mended);
    },
    focus: (path) => antd.focusField([...path]),
    antd,
    pending: { hold: (report) => reports.add(report), release: (report) => reports.delete(report) },
    flush,
  };
}

export function useTypedForm(): TypedForm {
  const [antd] = Form.useForm<Inputs>();
  const [form] = useState(() => createTypedForm(antd));
  return form;
}

type TypedFormViewProps = Omit<FormProps<Inputs>, "form" | "onSubmitCapture" | "children"> & {
  form: TypedForm;
  children: ReactNode;
};

/** antd's form around inputs of `controls/`. Enter sends it with the last keys too. */
export function TypedFormView({ form, ...props }: TypedFormViewProps) {
  return (
    <PendingTextContext value={form.pending}>
      <Form {...props} form={form.antd} onSubmitCapture={form.flush} />
    </PendingTextContext>
  );
}
