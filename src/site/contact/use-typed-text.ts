import { type RefObject, useCallback, useEffect, useState } from "react";
import { countChars, toContactText } from "#contract/contact-rules.ts";
import { CONTACT_FIELDS, type ContactDraft } from "#contract/site/contact.ts";
import { readTyped, readValues, writeTyped } from "./form-values.ts";
import { forgetText, keepText, readKeptText } from "./kept-text.ts";

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
    if (isEmpty && !draft) writeTyped(form, readKeptText());
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
      if (formRef.current) keepText(readTyped(formRef.current));
    },
    empty(form: HTMLFormElement) {
      // Also when the visitor has left the page meanwhile: what was sent is not to come back.
      forgetText();
      writeTyped(form, { name: "", email: "", subject: "", message: "" });
      measure();
    },
  };
}
