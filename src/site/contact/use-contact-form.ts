import {
  type FocusEvent,
  type FormEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { ContactAnswer, ContactDraft, ContactValues } from "#contract/site/contact.ts";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import { usePage } from "../../ui/page-context.tsx";
import type { PublicText } from "../../ui/public-text.ts";
import type { Toast } from "../../ui/toast.tsx";
import type { ContactSender } from "./contact-sender.ts";
import {
  emptyTrap,
  focusField,
  readTrap,
  readValues,
  toField,
  useFieldErrors,
  useTypedText,
} from "./form-values.ts";

/** Where a message is on its way (specification A section 4). */
type SendState =
  | { status: "IDLE" }
  | { status: "LOADING" }
  | { status: "SUCCESS" }
  | { status: "ERROR"; message: string };

/** What is told of it, and for how long the toast stands. */
export function toToast(state: SendState, t: PublicText): Toast | null {
  switch (state.status) {
    case "IDLE":
    case "LOADING":
      return null;
    case "SUCCESS":
      return { kind: "success", text: t("contact:toast.success") };
    case "ERROR":
      return { kind: "error", text: state.message };
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

/** What the form needs of the browser. */
export interface ContactServices {
  getSender: () => ContactSender;
  /** Whether this browser can do the work that sending takes; if not, the form is posted as without JavaScript. */
  canWork: () => boolean;
}

/** Where the focus goes when the button that had it was disabled: to what is to be done next. */
function useFocusAfterSending(formRef: RefObject<HTMLFormElement | null>, { status }: SendState) {
  useEffect(() => {
    const form = formRef.current;
    if (!form || (status !== "SUCCESS" && status !== "ERROR")) return;
    const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (document.activeElement === document.body)
      (status === "ERROR" ? form.querySelector("button") : form)?.focus({ preventScroll: true });
  }, [formRef, status]);
}

/** The contact form's life: typed, checked, sent, emptied or kept (specification A 2.5, 4, 5, 8). */
export function useContactForm(draft: ContactDraft | null, { getSender, canWork }: ContactServices) {
  const { t } = usePage();
  const formRef = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  /** The form was emptied under the hands of the person: leaving a field then is no mistake of theirs. */
  const isFresh = useRef(false);
  const [state, setState] = useState<SendState>({ status: "IDLE" });
  const [isUntried, setIsUntried] = useState(true);
  const text = useTypedText(formRef, draft);
  const fields = useFieldErrors(formRef, draft?.errors ?? {});
  useFocusAfterSending(formRef, state);

  const prepare = () => {
    if (canWork()) getSender().prepare();
  };
  const prepareAtOnce = useEffectEvent(prepare);
  useEffect(() => {
    // The touch that brought the scripts of the page.
    if (formRef.current?.contains(document.activeElement)) prepareAtOnce();
  }, []);

  async function send(form: HTMLFormElement, values: ContactValues) {
    setIsUntried(false);
    setState({ status: "LOADING" });
    try {
      const answer = await getSender().send(values, readTrap(form));
      if (!answer.success) return setState({ status: "ERROR", message: toRefusalText(answer, t) });
      text.empty(form);
      fields.clear();
      isFresh.current = true;
      setState({ status: "SUCCESS" });
    } catch (error) {
      emptyTrap(form);
      if (error instanceof HttpError) fields.show(error.errors);
      else console.error("The message could not be sent.", error);
      setState({ status: "ERROR", message: toFailureText(error, t) });
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    const values = readValues(form);
    if (isSending.current) return event.preventDefault();
    const wrong = fields.checkAll(values);
    if (!wrong && !canWork()) return;
    event.preventDefault();
    if (wrong) return focusField(form, wrong);
    isSending.current = true;
    void send(form, values).finally(() => {
      isSending.current = false;
    });
  }

  const isLoading = state.status === "LOADING";
  return {
    formRef,
    state,
    errors: fields.errors,
    count: text.count,
    isLoading,
    /** Nothing was sent from here: what the server said of the post before still counts. */
    isUntried,
    /** Until the page is hydrated the form is posted natively, and the server says what is wrong. */
    canSubmit: text.isComplete === undefined || (text.isComplete && !fields.hasErrors && !isLoading),
    closeToast: () => setState({ status: "IDLE" }),
    handlers: {
      onSubmit: submit,
      onFocus({ target, currentTarget }: FocusEvent<HTMLFormElement>) {
        isFresh.current = false;
        if (target !== currentTarget) prepare();
      },
      onInput(event: FormEvent<HTMLFormElement>) {
        isFresh.current = false;
        prepare();
        text.noteInput();
        const field = toField(event.target);
        if (field) fields.recheck(field);
      },
      onBlur(event: FocusEvent<HTMLFormElement>) {
        const field = toField(event.target);
        if (field && !isFresh.current) fields.check(field);
        isFresh.current = false;
      },
    },
  };
}
