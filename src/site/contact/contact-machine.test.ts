import { describe, expect, test } from "@jest/globals";
import { testTransitions } from "#test/transitions.ts";
import { type ContactEvent, type ContactState, reduceContact, toContactState } from "./contact-machine.ts";

const values = { name: "Ada", email: "ada@example.org", subject: "Hello", message: "👋 there" };
const { form: UNREAD } = toContactState(null);
const FORM = { ...UNREAD, count: 7, isComplete: true };
const FAULTY = { ...FORM, errors: { name: "Too short", subject: "Too long" } };
const TRIED = { ...FORM, isUntried: false };
const FRESH = { ...TRIED, count: 0, isComplete: false, isFresh: true };

const STATES = {
  begun: toContactState(null),
  editing: { phase: "editing", form: FORM },
  faulty: { phase: "editing", form: FAULTY },
  sending: { phase: "sending", form: TRIED, values, trap: "" },
  sent: { phase: "sent", form: FRESH },
  refused: { phase: "refused", form: { ...TRIED, errors: { email: "Nobody lives there" } }, reason: "No" },
} satisfies Record<string, ContactState>;

const EVENTS = {
  touched: { type: "touched" },
  filledIn: { type: "typed", values, errors: { name: "Too short" } },
  typedWrong: {
    type: "typed",
    field: "name",
    values: { ...values, name: "" },
    errors: { name: "Required" },
  },
  typedRight: { type: "typed", field: "name", values, errors: {} },
  leftWrong: { type: "left", field: "name", values, errors: { name: "Required", email: "Wrong" } },
  leftRight: { type: "left", field: "name", values, errors: { email: "Wrong" } },
  submitted: { type: "submitted", values, errors: {}, trap: "spam" },
  submittedWrong: { type: "submitted", values, errors: { email: "Wrong" }, trap: "" },
  sent: { type: "sent" },
  refused: { type: "refused", reason: "Too many", errors: { subject: "Rude" } },
  closed: { type: "closed" },
} satisfies Record<string, ContactEvent>;

type Next = Record<keyof typeof STATES, ContactState>;
type Form = ContactState["form"];

/** In every phase but `except`, the form alone changes. */
function onForm(change: (form: Form) => Partial<Form>, except: Partial<Next> = {}): Next {
  const next = Object.entries<ContactState>(STATES).map(([name, state]) => [
    name,
    { ...state, form: { ...state.form, ...change(state.form) } },
  ]);
  return { ...Object.fromEntries(next), ...except };
}

const SUBMITTED = {
  phase: "sending",
  form: TRIED,
  values,
  trap: "spam",
} as const;
const READ = { count: 7, isComplete: true, isFresh: false };

testTransitions<ContactState, ContactEvent, keyof typeof STATES, keyof typeof EVENTS>(
  reduceContact,
  STATES,
  EVENTS,
  {
    touched: { sent: { phase: "sent", form: { ...FRESH, isFresh: false } } },
    filledIn: onForm(() => READ),
    typedWrong: onForm(({ errors }) => ({
      ...READ,
      isComplete: false,
      errors: { ...errors, ...(errors.name && { name: "Required" }) },
    })),
    typedRight: onForm(({ errors: { name: _right, ...errors } }) => ({ ...READ, errors })),
    leftWrong: onForm(({ errors }) => ({ errors: { ...errors, name: "Required" } }), {
      sent: { phase: "sent", form: { ...FRESH, isFresh: false } },
    }),
    leftRight: onForm(({ errors: { name: _right, ...errors } }) => ({ errors }), {
      sent: { phase: "sent", form: { ...FRESH, isFresh: false } },
    }),
    submitted: {
      begun: { ...SUBMITTED, form: { ...UNREAD, isUntried: false } },
      editing: SUBMITTED,
      faulty: SUBMITTED,
      sent: { ...SUBMITTED, form: FRESH },
      refused: SUBMITTED,
    },
    submittedWrong: {
      ...onForm(() => ({ errors: { email: "Wrong" } })),
      sending: undefined,
    },
    sent: { sending: { phase: "sent", form: FRESH } },
    refused: {
      sending: { phase: "refused", form: { ...TRIED, errors: { subject: "Rude" } }, reason: "Too many" },
    },
    closed: {
      sent: { phase: "editing", form: FRESH },
      refused: { phase: "editing", form: STATES.refused.form },
    },
  },
);

describe("a form begins", () => {
  const draft = { values, errors: { name: "Too short" }, error: null, challenge: null, isSent: false };

  test("with what a post left, and counts its message as people do", () => {
    const expected = { ...UNREAD, count: 7, errors: { name: "Too short" } };
    expect(toContactState(draft)).toEqual({ phase: "editing", form: expected });
  });

  test("without one as nothing that anybody has seen yet", () => {
    expect(UNREAD).toEqual({
      errors: {},
      count: 0,
      isComplete: undefined,
      isUntried: true,
      isFresh: false,
    });
  });
});
