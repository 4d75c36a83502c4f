import { expect, test } from "@jest/globals";
import { testTransitions } from "#test/transitions.ts";
import { toProfile } from "../test-profile.tsx";
import {
  type EditorEvent,
  type EditorState,
  type Edits,
  reduceEditor,
  toEditorState,
  toValues,
} from "./profile-editor-machine.ts";

const values = toValues(toProfile());
const restored = { ...values, bio: "Before the reload" };
const sent = { bio: "New" };
const failure = { isSent: true, reason: "No" };
const removed = { kind: "removed" } as const;
const UNTOUCHED: Edits = {
  values,
  errors: {},
  pictures: { avatar: { kind: "kept" }, cover: { kind: "kept" } },
  pictureErrors: {},
  isRestored: false,
};
const EDITS: Edits = {
  values: { ...values, bio: "New" },
  errors: { bio: "Too long", username: "Taken" },
  pictures: { avatar: removed, cover: { kind: "kept" } },
  pictureErrors: { cover: "Too large" },
  isRestored: false,
};

const STATES = {
  begun: { phase: "view" },
  view: { phase: "view", ending: "saved" },
  restored: { phase: "editing", edits: { ...UNTOUCHED, values: restored, isRestored: true } },
  editing: { phase: "editing", edits: EDITS },
  saving: { phase: "saving", edits: EDITS, sent, percent: 10 },
  refused: { phase: "refused", edits: EDITS, failure },
} satisfies Record<string, EditorState>;

const EVENTS = {
  started: { type: "started", values },
  typed: { type: "typed", field: "bio", text: "Newer" },
  checkedWrong: { type: "checked", field: "email", error: "Wrong" },
  checkedRight: { type: "checked", field: "bio", error: undefined },
  pictureChanged: { type: "picture_changed", name: "cover", change: removed },
  pictureRefused: { type: "picture_changed", name: "avatar", error: "Empty" },
  submitted: { type: "submitted", sent, errors: { bio: undefined }, reason: "Look" },
  submittedWrong: { type: "submitted", sent, errors: { bio: "Too long" }, reason: "Look" },
  submittedUnchanged: { type: "submitted", sent: {}, errors: {}, reason: "Look" },
  progressed: { type: "progressed", percent: 50 },
  saved: { type: "saved" },
  refused: {
    type: "refused",
    errors: { email: "Taken" },
    pictureErrors: { avatar: "Unknown" },
    reason: "Check",
  },
  discarded: { type: "discarded" },
} satisfies Record<string, EditorEvent>;

type StateName = keyof typeof STATES;
type OpenName = "restored" | "editing" | "refused" | "saving";

/** In the named states the edits alone change. */
function onEdits(
  change: (edits: Edits) => Partial<Edits>,
  names: readonly OpenName[] = ["restored", "editing", "refused"],
) {
  const next = names.map((name) => [
    name,
    { ...STATES[name], edits: { ...STATES[name].edits, ...change(STATES[name].edits) } },
  ]);
  return Object.fromEntries(next) as Partial<Record<StateName, EditorState>>; // an entry for each name
}

const EVERYWHERE: OpenName[] = ["restored", "editing", "refused", "saving"];
const toView = (ending: "unchanged" | "discarded"): Partial<Record<StateName, EditorState>> => ({
  restored: { phase: "view", ending },
  editing: { phase: "view", ending },
  refused: { phase: "view", ending },
});
const saving = (edits: Edits): EditorState => ({ phase: "saving", edits, sent, percent: null });
const faulty = (edits: Edits): EditorState => ({
  phase: "refused",
  edits: { ...edits, errors: { bio: "Too long" } },
  failure: { isSent: false, reason: "Look" },
});

testTransitions<EditorState, EditorEvent, StateName, keyof typeof EVENTS>(reduceEditor, STATES, EVENTS, {
  started: {
    begun: { phase: "editing", edits: UNTOUCHED },
    view: { phase: "editing", edits: UNTOUCHED },
  },
  typed: onEdits((edits) => ({
    values: { ...edits.values, bio: "Newer" },
    errors: { ...edits.errors, bio: undefined },
  })),
  checkedWrong: onEdits((edits) => ({ errors: { ...edits.errors, email: "Wrong" } })),
  checkedRight: onEdits((edits) => ({ errors: { ...edits.errors, bio: undefined } })),
  pictureChanged: onEdits(
    ({ pictures, pictureErrors }) => ({
      pictures: { ...pictures, cover: removed },
      pictureErrors: { ...pictureErrors, cover: undefined },
    }),
    EVERYWHERE,
  ),
  pictureRefused: onEdits(
    ({ pictureErrors }) => ({ pictureErrors: { ...pictureErrors, avatar: "Empty" } }),
    EVERYWHERE,
  ),
  submitted: {
    restored: saving(STATES.restored.edits),
    editing: saving(EDITS),
    refused: saving(EDITS),
  },
  submittedWrong: {
    restored: faulty(STATES.restored.edits),
    editing: faulty(EDITS),
    refused: faulty(EDITS),
  },
  submittedUnchanged: toView("unchanged"),
  progressed: { saving: { ...STATES.saving, percent: 50 } },
  saved: { saving: { phase: "view", ending: "saved" } },
  refused: {
    saving: {
      phase: "refused",
      edits: { ...EDITS, errors: { email: "Taken" }, pictureErrors: { avatar: "Unknown" } },
      failure: { isSent: true, reason: "Check" },
    },
  },
  discarded: toView("discarded"),
});

test("begins with what was typed before a reload, where that is known", () => {
  expect(toEditorState(undefined)).toEqual(STATES.begun);
  expect(toEditorState(restored)).toEqual(STATES.restored);
});

test("each refusal is a failure of its own, so that each is shown", () => {
  const first = reduceEditor(STATES.editing, EVENTS.submittedWrong);
  const second = reduceEditor(first, EVENTS.submittedWrong);
  if (first.phase !== "refused" || second.phase !== "refused") throw new Error("not refused");
  expect(second.failure).not.toBe(first.failure);
});
