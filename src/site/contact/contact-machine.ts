import {
  CONTACT_FIELDS,
  type ContactDraft,
  type ContactField,
  type ContactValues,
  countChars,
  toContactText,
} from "#contract/site/contact.ts";

/** The messages under the fields (specification A section 5). */
export type FieldErrors = Partial<ContactValues>;

/** The form, whatever becomes of what it sent. Its text stands in the page's own controls. */
interface Form {
  errors: FieldErrors;
  /** Characters of the message. */
  count: number;
  /** Nothing is empty. Undefined until the page is hydrated. */
  isComplete: boolean | undefined;
  /** Nothing was sent from here: what the server said of the post before still counts. */
  isUntried: boolean;
  /** It was emptied under the hands of the person: leaving a field then is no mistake of theirs. */
  isFresh: boolean;
}

/** Where a message is on its way (specification A section 4). A person who types on after an answer still sees it until it is closed. */
export type ContactState = { form: Form } & (
  | { phase: "editing" }
  | { phase: "sending"; values: ContactValues; trap: string }
  | { phase: "sent" }
  | { phase: "refused"; reason: string }
);

/** What stands in the form, as it is counted, checked and sent, and what is wrong with it by the browser's own rules. */
interface Read {
  values: ContactValues;
  errors: FieldErrors;
}

/** What can happen to it. Texts come in the reader's language. */
export type ContactEvent =
  | { type: "touched" }
  /** Without `field` the page or the browser put the text in. */
  | ({ type: "typed"; field?: ContactField | undefined } & Read)
  | ({ type: "left"; field: ContactField } & Read)
  /** `trap` is what stands in the field that people don't see. */
  | ({ type: "submitted"; trap: string } & Read)
  | { type: "sent" }
  /** `errors` is what the server said of fields. */
  | { type: "refused"; reason: string; errors: FieldErrors }
  | { type: "closed" };

export function toContactState(draft: ContactDraft | null): ContactState {
  const count = countChars(toContactText("message", draft?.values.message ?? ""));
  const errors = draft?.errors ?? {};
  return {
    phase: "editing",
    form: { errors, count, isComplete: undefined, isUntried: true, isFresh: false },
  };
}

function change(state: ContactState, form: Partial<Form>): ContactState {
  return { ...state, form: { ...state.form, ...form } };
}

/** The errors with the one that a field has now. */
function check({ errors }: Form, field: ContactField, found: FieldErrors): FieldErrors {
  const { [field]: _before, ...others } = errors;
  return found[field] === undefined ? others : { ...others, [field]: found[field] };
}

/** The next state of a message. What makes no sense in the state that it finds changes nothing. */
export function reduceContact(state: ContactState, event: ContactEvent): ContactState {
  const { phase, form } = state;
  switch (event.type) {
    case "touched":
      return form.isFresh ? change(state, { isFresh: false }) : state;
    case "typed": {
      const { values, field } = event;
      const isComplete = CONTACT_FIELDS.every((name) => values[name] !== "");
      // A message goes as soon as the text is right; none comes before the field is left.
      const errors = field && form.errors[field] ? check(form, field, event.errors) : form.errors;
      return change(state, { errors, count: countChars(values.message), isComplete, isFresh: false });
    }
    case "left":
      if (form.isFresh) return change(state, { isFresh: false });
      return change(state, { errors: check(form, event.field, event.errors) });
    case "submitted": {
      if (phase === "sending") return state;
      const { values, trap, errors } = event;
      if (Object.keys(errors).length > 0) return change(state, { errors });
      return { phase: "sending", form: { ...form, errors, isUntried: false }, values, trap };
    }
    case "sent":
      if (phase !== "sending") return state;
      return { phase: "sent", form: { ...form, errors: {}, count: 0, isComplete: false, isFresh: true } };
    case "refused":
      if (phase !== "sending") return state;
      return { phase: "refused", form: { ...form, errors: event.errors }, reason: event.reason };
    case "closed":
      return phase === "sent" || phase === "refused" ? { phase: "editing", form } : state;
  }
}
