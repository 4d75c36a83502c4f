import { toContactValues } from "#contract/contact-rules.ts";
import {
  CONTACT_FIELDS,
  CONTACT_TRAP,
  type ContactField,
  type ContactValues,
} from "#contract/site/contact.ts";

type Control = HTMLInputElement | HTMLTextAreaElement;

function getControl(form: HTMLFormElement, name: string): Control | null {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : null;
}

/** What stands in the form, as it was typed: the form keeps its own values, so that none is lost before hydration. */
export function readTyped(form: HTMLFormElement): ContactValues {
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

export function writeTyped(form: HTMLFormElement, values: Partial<ContactValues>): void {
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
