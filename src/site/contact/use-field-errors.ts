import { type RefObject, useState } from "react";
import { findContactFault } from "#contract/contact-rules.ts";
import type { FieldError } from "#contract/errors.ts";
import { CONTACT_FIELDS, type ContactField, type ContactValues } from "#contract/site/contact.ts";
import { usePage } from "../../ui/page-context.tsx";
import { readValues } from "./form-values.ts";

type FieldErrors = Partial<ContactValues>;

/** The messages under the fields (specification A section 5). */
export function useFieldErrors(formRef: RefObject<HTMLFormElement | null>, drawn: FieldErrors) {
  const { t } = usePage();
  const [errors, setErrors] = useState(drawn);

  function findError(field: ContactField, values: ContactValues): FieldErrors {
    const fault = findContactFault(field, values[field]);
    return fault ? { [field]: t(`contact:errors.${fault}`) } : {};
  }

  function check(field: ContactField) {
    if (!formRef.current) return;
    const found = findError(field, readValues(formRef.current));
    setErrors(({ [field]: _before, ...others }) => ({ ...others, ...found }));
  }

  return {
    errors,
    hasErrors: Object.keys(errors).length > 0,
    check,
    /** A message goes as soon as the text is right. */
    recheck(field: ContactField) {
      if (errors[field]) check(field);
    },
    /** @returns the first field that is wrong. */
    checkAll(values: ContactValues): ContactField | undefined {
      const found: FieldErrors = Object.assign(
        {},
        ...CONTACT_FIELDS.map((field) => findError(field, values)),
      );
      setErrors(found);
      return CONTACT_FIELDS.find((field) => found[field]);
    },
    /** What the server says of fields. */
    show(faults: readonly FieldError[]) {
      const known = faults.filter(({ field }) => CONTACT_FIELDS.some((own) => own === field));
      setErrors(Object.fromEntries(known.map(({ field, message }) => [field, message])));
    },
    clear: () => setErrors({}),
  };
}
