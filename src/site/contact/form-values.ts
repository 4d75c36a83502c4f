import { type RefObject, useCallback, useEffect, useState } from "react";
import type { FieldError } from "#contract/errors.ts";
import {
  CONTACT_FIELDS,
  CONTACT_TRAP,
  type ContactDraft,
  type ContactField,
  type ContactValues,
  countChars,
  findContactFault,
  toContactText,
  toContactValues,
} from "#contract/site/contact.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { usePage } from "../../ui/page-context.tsx";

type Control = HTMLInputElement | HTMLTextAreaElement;

function getControl(form: HTMLFormElement, name: string): Control | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : null;
}

/** What stands in the form, as it was typed: the form keeps its own values, so that none is lost before hydration. */
function readTyped(form: HTMLFormElement): ContactValues {
  const read = (field: ContactField) => getControl(form, field)?.value ?? "";
  return { name: read("name"), email: read("email"), subject: read("subject"), message: read("message") };
}

/** What stands in the form, as it is counted, checked and sent. */
export function readValues(form: HTMLFormElement): ContactValues {
  return toContactValues(readTyped(form));
}

export function readTrap(form: HTMLFormElement): string {
  return getControl(form, CONTACT_TRAP)?.value ?? "";
}

function writeTyped(form: HTMLFormElement, values: Partial<ContactValues>): void {
  for (const field of CONTACT_FIELDS) {
    const control = getControl(form, field);
    const value = values[field];
    if (control && value !== undefined) control.value = value;
  }
}

export function focusField(form: HTMLFormElement, field: ContactField): void {
  getControl(form, field)?.focus();
}

/** A program that filled the trap in, on the visitor's own machine too, must not stop the next attempt. */
export function emptyTrap(form: HTMLFormElement): void {
  const trap = getControl(form, CONTACT_TRAP);
  if (trap) trap.value = "";
}

/** Which field of the form an event comes from. */
export function toField(target: EventTarget): ContactField | undefined {
  return CONTACT_FIELDS.find((field) => target instanceof Element && target.getAttribute("name") === field);
}

const TEXT_KEY = "contact-text";
const tabStorage = createSafeStorage(() => globalThis.sessionStorage);

/** Keeps what was typed while this tab lives: for a reload, a look at another page, or the other language. */
function storeText(typed: ContactValues): void {
  tabStorage.setItem(TEXT_KEY, JSON.stringify(typed));
}

export function forgetText(): void {
  tabStorage.removeItem(TEXT_KEY);
}

/** What was kept; nothing of what is no text. */
function readStoredText(): Partial<ContactValues> {
  try {
    const stored: unknown = JSON.parse(tabStorage.getItem(TEXT_KEY) ?? "null");
    const values: Record<string, unknown> = { ...(typeof stored === "object" ? stored : {}) };
    return Object.fromEntries(
      CONTACT_FIELDS.map((field) => [field, values[field]]).filter(([, value]) => typeof value === "string"),
    );
  } catch {
    // Something else stands under this key.
    return {};
  }
}

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

/** The form as the server drew it, before React takes it over. */
function findDrawnForm(): HTMLFormElement | null {
  return typeof document === "undefined" ? null : document.querySelector("form.contact-form");
}

/**
 * What the form holds, as far as other parts show it. `isComplete` is undefined until the page is hydrated.
 * The form keeps its own values; what was typed before hydration, or before a reload, stays.
 */
export function useTypedText(formRef: RefObject<HTMLFormElement | null>, draft: ContactDraft | null) {
  const [count, setCount] = useState(() => countChars(toContactText("message", draft?.values.message ?? "")));
  const [isComplete, setIsComplete] = useState<boolean>();
  // While hydrating, React gives a textarea the server's text again.
  const [typedBefore] = useState(() => {
    const form = findDrawnForm();
    return form && readTyped(form);
  });

  const measure = useCallback(() => {
    const values = formRef.current && readValues(formRef.current);
    if (!values) return;
    setCount(countChars(values.message));
    setIsComplete(CONTACT_FIELDS.every((field) => values[field] !== ""));
  }, [formRef]);

  useEffect(() => {
    const form = formRef.current;
    if (!form) return;
    if (typedBefore) writeTyped(form, typedBefore);
    const isEmpty = Object.values(readTyped(form)).every((value) => value === "");
    if (isEmpty && !draft) writeTyped(form, readStoredText());
    measure();
    // Back and Forward bring what was typed without an event of its own.
    window.addEventListener("pageshow", measure);
    return () => window.removeEventListener("pageshow", measure);
  }, [formRef, draft, typedBefore, measure]);

  return {
    count,
    isComplete,
    noteInput() {
      measure();
      if (formRef.current) storeText(readTyped(formRef.current));
    },
    empty(form: HTMLFormElement) {
      // Also when the visitor has left the page meanwhile: what was sent is not to come back.
      forgetText();
      writeTyped(form, { name: "", email: "", subject: "", message: "" });
      measure();
    },
  };
}
