import { type FocusEvent, type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import type { FieldError } from "#contract/errors.ts";

export type FormValues<Field extends string> = Record<Field, string>;
export type FieldTexts<Field extends string> = Partial<Record<Field, string>>;
/** What stands under the fields and, where nothing belongs to a field, above the button. */
type FormErrors<Field extends string> = FieldTexts<Field | "form">;

interface FormRules<Field extends string> {
  /** Names of the controls, in their order. A ticked box has a text, another one none. */
  fields: readonly Field[];
  /** What is wrong with the values by the rules that the browser knows, in words. */
  findErrors: (values: FormValues<Field>) => FieldTexts<Field>;
}

/**
 * Values and errors of a form that keeps its own values, so that what was typed or filled in before hydration stays. Checks run on
 * blur, an error goes on input (specification A section 5).
 */
export function useFormFields<Field extends string>({ fields, findErrors }: FormRules<Field>) {
  const formRef = useRef<HTMLFormElement>(null);
  const fieldsRef = useRef(fields);
  const [errors, setErrors] = useState<FormErrors<Field>>({});
  const [refusals, setRefusals] = useState(0);

  const read = useCallback((): FormValues<Field> => {
    const data = formRef.current ? new FormData(formRef.current) : new FormData();
    const entries = fieldsRef.current.map((field) => [field, String(data.get(field) ?? "")]);
    return Object.fromEntries(entries) as FormValues<Field>; // one entry for each field
  }, []);
  const [values, setValues] = useState(read);
  const measure = useCallback(() => setValues(read()), [read]);

  useEffect(() => {
    measure();
    // Back and Forward bring what was typed without an event of its own.
    window.addEventListener("pageshow", measure);
    return () => window.removeEventListener("pageshow", measure);
  }, [measure]);

  useEffect(() => {
    if (refusals > 0)
      formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [refusals]);

  const toField = (target: EventTarget) =>
    fields.find((field) => target instanceof Element && target.getAttribute("name") === field);

  /** Shows errors and puts the focus where the first one is. */
  function show(found: FormErrors<Field>) {
    setErrors(found);
    setRefusals((count) => count + 1);
  }

  /** The error of a field goes with the next input; those that depended on it go when they are cured. */
  function noteInput(event: FormEvent<HTMLFormElement>) {
    const changed = toField(event.target);
    const [before, now] = [findErrors(values), read()];
    const left = findErrors(now);
    setValues(now);
    setErrors((shown) => {
      const kept: FormErrors<Field> = { ...shown };
      delete kept.form;
      for (const field of fields) {
        const isCured = kept[field] === before[field] && !left[field];
        if (field === changed || isCured) delete kept[field];
      }
      return kept;
    });
  }

  function checkOnBlur(event: FocusEvent<HTMLFormElement>) {
    const field = toField(event.target);
    const found = field && findErrors(read())[field];
    if (field && found) setErrors((others) => ({ ...others, [field]: found }));
  }

  return {
    formRef,
    values,
    errors,
    /** Nothing is missing and no field has an error. */
    isReady: Object.keys(findErrors(values)).length === 0 && fields.every((field) => !errors[field]),
    read,
    /** To be called after a value was set without an event. */
    measure,
    /** @returns false when something is wrong; then it is shown. */
    checkAll(): boolean {
      const found = findErrors(read());
      const isRight = Object.keys(found).length === 0;
      if (isRight) setErrors({});
      else show(found as FormErrors<Field>); // the same texts, without one of the form
      return isRight;
    },
    /** Field errors of the server under their fields; `text` where none belongs to one. */
    showRefusal(faults: readonly FieldError[], text: string) {
      const known = faults.filter(({ field }) => fields.some((own) => own === field)).reverse();
      const texts = Object.fromEntries(known.map(({ field, message }) => [field, message]));
      show((known.length > 0 ? texts : { form: text }) as FormErrors<Field>); // names were just looked up
    },
    handlers: { onInput: noteInput, onBlur: checkOnBlur },
  };
}
