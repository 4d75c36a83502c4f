import { Checkbox, Form } from "antd";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { changedFields, type Inputs, kindOf } from "../views/kinds/registry.ts";
import { type TypedForm, TypedFormView } from "../views/kinds/typed-form.tsx";

interface UpdateFieldsProps {
  source: RecordSource;
  form: TypedForm;
  ticked: readonly string[];
  isDisabled: boolean;
  onTick: (names: readonly string[]) => void;
  /** Whether the values of all ticked fields fit. */
  onFits: (fits: boolean) => void;
  onSubmit: () => void;
}

/** Every input empty, as `toInput` has it. */
function toEmptyInputs(source: RecordSource): Inputs {
  const writable = source.fields.filter((field) => !field.read_only);
  return Object.fromEntries(writable.map((field) => [field.name, kindOf(field).toInput(undefined)]));
}

/** Whether a ticked field holds something that would be lost with the form. */
export function hasTyped(source: RecordSource, form: TypedForm, ticked: readonly string[]): boolean {
  const typed = { ...toEmptyInputs(source), ...form.read() };
  return changedFields(source, toEmptyInputs(source), typed).some((name) => ticked.includes(name));
}

/** antd validates in its own time; the answer to the last question counts. */
function useFits({ antd }: TypedForm, ticked: readonly string[], onFits: (fits: boolean) => void): void {
  const inputs = Form.useWatch([], antd);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each input
  useEffect(() => {
    let isLast = true;
    antd.validateFields({ validateOnly: true }).then(
      () => isLast && onFits(true),
      () => isLast && onFits(false),
    );
    return () => {
      isLast = false;
    };
  }, [inputs, ticked, antd, onFits]);
}

/** A box for each field that may be written, and the real control of each ticked one. */
export function UpdateFields({
  source,
  form,
  ticked,
  isDisabled,
  onTick,
  onFits,
  onSubmit,
}: UpdateFieldsProps) {
  const { t } = useTranslation();
  const id = useId();
  const [initial] = useState(() => toEmptyInputs(source));
  const writable = source.fields.filter((field) => !field.read_only);
  useFits(form, ticked, onFits);
  return (
    <>
      <fieldset className="bulk-fields" disabled={isDisabled} aria-describedby={`${id}-help`}>
        <legend>{t("bulk.fields")}</legend>
        <p id={`${id}-help`} className="bulk-help">
          {t("bulk.fieldsHelp")}
        </p>
        <Checkbox.Group
          className="bulk-ticks"
          value={[...ticked]}
          options={writable.map(({ name, verbose_name }) => ({ value: name, label: verbose_name }))}
          onChange={(names) => onTick(names)}
        />
      </fieldset>
      <TypedFormView
        name={id}
        form={form}
        layout="vertical"
        disabled={isDisabled}
        requiredMark={false}
        initialValues={initial}
        validateTrigger="onBlur"
        className="bulk-values"
        onFinish={onSubmit}
      >
        {writable
          .filter(({ name }) => ticked.includes(name))
          .map((field) => {
            const { Control } = kindOf(field);
            return <Control key={field.name} field={field} source={source} />;
          })}
      </TypedFormView>
    </>
  );
}
