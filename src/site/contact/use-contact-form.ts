import {
  type Dispatch,
  type FocusEvent,
  type FormEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import {
  CONTACT_FIELDS,
  CONTACT_TRAP,
  type ContactAnswer,
  type ContactDraft,
  type ContactField,
  type ContactValues,
  findContactFaults,
  toContactValues,
} from "#contract/site/contact.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import { usePage } from "../../ui/page-context.tsx";
import type { PublicText } from "../../ui/public-text.ts";
import { useMachine } from "../../ui/use-machine.ts";
import { type ContactEvent, type ContactState, reduceContact, toContactState } from "./contact-machine.ts";
import type { ContactSender } from "./contact-sender.ts";

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

function writeTyped(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const control = getControl(form, name);
    if (control) control.value = value;
  }
}

/** Which field of the form an event comes from. */
function toField(target: EventTarget): ContactField | undefined {
  return CONTACT_FIELDS.find((field) => target instanceof Element && target.getAttribute("name") === field);
}

/** The form as the server drew it, before React takes it over. */
function findDrawnForm(): HTMLFormElement | null {
  return typeof document === "undefined" ? null : document.querySelector("form.contact-form");
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

/** The documented text of an answer that says no (specification A section 8). */
function toRefusalText({ error, details }: ContactAnswer, t: PublicText): string {
  return error || details || t("contact:toast.failed");
}

/** The documented text of a call that failed. The server's words are for people; a browser's own ("Failed to fetch") are not. */
function toFailureText(error: unknown, t: PublicText): string {
  if (!(error instanceof HttpError) || error.code === "unexpected_answer") return t("contact:toast.generic");
  if (error.code === "network_error" || error.message === UNKNOWN_ERROR) return t("contact:toast.sorry");
  return error.message;
}

type Sending = Extract<ContactState, { phase: "sending" }>;

async function send(sender: ContactSender, { values, trap }: Sending, t: PublicText): Promise<ContactEvent> {
  try {
    const answer = await sender.send(values, trap);
    if (!answer.success) return { type: "refused", reason: toRefusalText(answer, t), errors: {} };
    // Also when the visitor has left the page meanwhile: what was sent is not to come back.
    forgetText();
    return { type: "sent" };
  } catch (error) {
    if (!(error instanceof HttpError)) console.error("The message could not be sent.", error);
    const faults = error instanceof HttpError ? error.errors : [];
    const known = faults.filter(({ field }) => CONTACT_FIELDS.some((own) => own === field));
    const errors = Object.fromEntries(known.map(({ field, message }) => [field, message]));
    return { type: "refused", reason: toFailureText(error, t), errors };
  }
}

/** Where the focus goes when the button that had it was disabled: to what is to be done next. */
function focusNext(form: HTMLFormElement, next: HTMLElement | null): void {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (wrong) wrong.focus();
  else if (document.activeElement === document.body) next?.focus({ preventScroll: true });
}

/** What the form needs of the browser. */
export interface ContactServices {
  getSender: () => ContactSender;
  /** Whether this browser can do the work that sending takes; if not, the form is posted as without JavaScript. */
  canWork: () => boolean;
}

/** Reads and fills in the contact form, and does what its machine asks for (specification A 2.5, 4, 5, 8). */
export function useContactForm(draft: ContactDraft | null, { getSender, canWork }: ContactServices) {
  const { t } = usePage();
  const formRef = useRef<HTMLFormElement>(null);
  // While hydrating, React gives a textarea the server's text again.
  const [typedBefore] = useState(() => {
    const form = findDrawnForm();
    return form && readTyped(form);
  });

  function enter(state: ContactState, report: Dispatch<ContactEvent>) {
    const form = formRef.current;
    if (!form) return;
    switch (state.phase) {
      case "editing":
        return;
      case "sending":
        void send(getSender(), state, t).then(report);
        return;
      case "sent":
        writeTyped(form, { name: "", email: "", subject: "", message: "" });
        focusNext(form, form);
        return;
      case "refused":
        // A program that filled the trap in, on the visitor's own machine too, must not stop the next attempt.
        writeTyped(form, { [CONTACT_TRAP]: "" });
        focusNext(form, form.querySelector("button"));
        return;
    }
  }
  const [state, dispatch] = useMachine(reduceContact, () => toContactState(draft), enter);

  function read(form: HTMLFormElement) {
    const values = toContactValues(readTyped(form));
    const faults = findContactFaults(values).map(({ field, code }) => [field, t(`contact:errors.${code}`)]);
    return { values, errors: Object.fromEntries(faults) };
  }
  const prepare = () => {
    if (canWork()) getSender().prepare();
  };
  const note = useEffectEvent(() => {
    if (formRef.current) dispatch({ type: "typed", ...read(formRef.current) });
  });
  const begin = useEffectEvent((form: HTMLFormElement) => {
    if (typedBefore) writeTyped(form, typedBefore);
    const isEmpty = Object.values(readTyped(form)).every((value) => value === "");
    if (isEmpty && !draft) writeTyped(form, readStoredText());
    // The touch that brought the scripts of the page.
    if (form.contains(document.activeElement)) prepare();
  });
  useEffect(() => {
    if (formRef.current) begin(formRef.current);
    note();
    const noteNow = () => note();
    // Back and Forward bring what was typed without an event of its own.
    window.addEventListener("pageshow", noteNow);
    return () => window.removeEventListener("pageshow", noteNow);
  }, []);

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    const { values, errors } = read(form);
    const wrong = CONTACT_FIELDS.find((field) => errors[field]);
    if (state.phase !== "sending" && !wrong && !canWork()) return;
    event.preventDefault();
    dispatch({ type: "submitted", values, errors, trap: getControl(form, CONTACT_TRAP)?.value ?? "" });
    if (state.phase !== "sending" && wrong) getControl(form, wrong)?.focus();
  }

  const { errors, isComplete } = state.form;
  const isSending = state.phase === "sending";
  return {
    formRef,
    state,
    isSending,
    /** Until the page is hydrated the form is posted natively, and the server says what is wrong. */
    canSubmit: isComplete === undefined || (isComplete && Object.keys(errors).length === 0 && !isSending),
    closeToast: () => dispatch({ type: "closed" }),
    handlers: {
      onSubmit: submit,
      onFocus({ target, currentTarget }: FocusEvent<HTMLFormElement>) {
        if (target === currentTarget) return;
        dispatch({ type: "touched" });
        prepare();
      },
      onInput({ target, currentTarget }: FormEvent<HTMLFormElement>) {
        prepare();
        storeText(readTyped(currentTarget));
        dispatch({ type: "typed", field: toField(target), ...read(currentTarget) });
      },
      onBlur({ target, currentTarget }: FocusEvent<HTMLFormElement>) {
        const field = toField(target);
        dispatch(field ? { type: "left", field, ...read(currentTarget) } : { type: "touched" });
      },
    },
  };
}
