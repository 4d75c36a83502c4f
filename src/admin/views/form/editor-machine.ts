import type { ModelRecord } from "#contract/content/models.ts";
import type { FieldError } from "#contract/errors.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { isSameInput, type PlacedErrors, placeErrors } from "../kinds/field-errors.ts";
import { changedFields, type Inputs, toInputs } from "../kinds/registry.ts";
import { type Draft, type DraftPlan, planRestore } from "./drafts.ts";
import {
  type Choice,
  type Choices,
  type Conflict,
  findDifferences,
  listUnits,
  mergeInputs,
  type Theirs,
  toConflict,
} from "./merge-inputs.ts";

/** Where to go once the record is stored. */
export type AfterSave = "stay" | "close" | "another";

/** What went wrong with a save. */
interface Failure {
  error: unknown;
  placed: PlacedErrors;
  sent: Inputs;
}

/** What a draft of before has come to. */
type Offer =
  | { kind: "none" }
  | { kind: "offered"; draft: Draft; plan: DraftPlan }
  | { kind: "decided"; draft: Draft };

/** What the last save has come to. The record is gone where fetching it says so; no save brings that about. */
type Phase =
  | { kind: "editing" }
  /** `names`: fields that travel. */
  | { kind: "saving"; sent: Inputs; names: readonly string[] }
  /** Nothing was changed since. */
  | { kind: "saved" }
  /** Its form stays shut: it gives way to the record's own. */
  | { kind: "created"; record: ModelRecord }
  | ({ kind: "refused" } & Failure)
  /** The session was over: the save is sent again once the same person is back. */
  | ({ kind: "signedOut" } & Failure);

/**
 * All that a record's form knows beside what stands in its inputs. Conflict and offer go with every phase in which a person can
 * type: a newer version can be received while a refused save is being mended.
 */
export interface EditorState {
  isNew: boolean;
  /** The stored values that the inputs are compared with. */
  base: Inputs;
  /** Of `base`, for `If-Match`. */
  version: string | undefined;
  phase: Phase;
  conflict: Conflict | null;
  offer: Offer;
  /** The browser keeps no more drafts. */
  isStorageFull: boolean;
  /** Of the save that was asked for last. */
  after: AfterSave;
  /** What the form was last given by somebody else than the person; another object is put into the inputs. */
  laid: Inputs;
  /** Where the cursor was last sent, to the first input without a name; another object moves it. */
  focus: { field?: string | undefined };
}

/** `typed`: what the inputs hold at that moment. */
export type EditorEvent =
  | { type: "typed" }
  | { type: "asked"; after: AfterSave }
  /** The inputs were not content. */
  | { type: "invalid" }
  | { type: "save"; typed: Inputs }
  | { type: "updated"; stored: Inputs; version: string | undefined; typed: Inputs }
  | { type: "created"; record: ModelRecord; typed: Inputs }
  | { type: "failed"; error: unknown; fieldErrors: readonly FieldError[]; isSignedOut: boolean }
  /** The save came too late. */
  | { type: "overtaken"; theirs: Inputs; version: string; typed: Inputs }
  /** A version was fetched while the form is open. */
  | { type: "received"; theirs: Inputs; version: string | undefined; typed: Inputs }
  | { type: "chosen"; key: string; choice: Choice }
  /** Both versions go together as chosen. */
  | { type: "settled"; typed: Inputs }
  /** Theirs takes the place of what was typed. */
  | { type: "loaded" }
  | { type: "restored" }
  | { type: "discarded" }
  | { type: "kept"; isKept: boolean }
  /** What is typed may be lost from now on: the person has said so, or the record is gone. */
  | { type: "abandoned"; typed: Inputs };

type EventOf<Type extends EditorEvent["type"]> = Extract<EditorEvent, { type: Type }>;

function toOffer(source: RecordSource, base: Inputs, drafts: readonly Draft[]): Offer {
  for (const draft of drafts) {
    const plan = planRestore(source, base, draft);
    if (plan) return { kind: "offered", draft, plan };
  }
  return { kind: "none" };
}

interface Opening {
  isNew: boolean;
  base: Inputs;
  /** What the inputs begin with. */
  initial: Inputs;
  version: string | undefined;
  /** The newest first. */
  drafts: readonly Draft[];
  /** The record was made a moment ago, by a form that has given way to this one. */
  isJustCreated: boolean;
}

export function openEditor(source: RecordSource, opening: Opening): EditorState {
  const { isNew, base, initial, version, drafts, isJustCreated } = opening;
  return {
    isNew,
    base,
    version,
    phase: { kind: isJustCreated ? "saved" : "editing" },
    conflict: null,
    offer: toOffer(source, initial, drafts),
    isStorageFull: false,
    after: "stay",
    laid: initial,
    focus: {},
  };
}

/** A save is under way, or the form has done its work. */
export function isShut({ phase }: EditorState): boolean {
  return phase.kind === "saving" || phase.kind === "created";
}

/** Where nothing is typed any more, there is nothing to keep, and an offer goes that would change nothing. */
function tidy(state: EditorState, typed: Inputs, source: RecordSource): EditorState {
  if (changedFields(source, state.base, typed).length > 0) return state;
  const { base, offer } = state;
  return {
    ...state,
    isStorageFull: false,
    offer: offer.kind === "offered" ? toOffer(source, base, [offer.draft]) : offer,
  };
}

function takeOver(
  state: EditorState,
  { theirs, version }: Theirs,
  typed: Inputs,
  choices: Choices,
  source: RecordSource,
): EditorState {
  const laid = mergeInputs(listUnits(source), { base: state.base, mine: typed, theirs }, choices);
  return tidy({ ...state, base: theirs, version, laid, conflict: null }, { ...typed, ...laid }, source);
}

const compare = ({ base }: EditorState, theirs: Inputs, typed: Inputs, source: RecordSource) =>
  findDifferences(listUnits(source), { base, mine: typed, theirs });

function receive(state: EditorState, event: EventOf<"received">, source: RecordSource): EditorState {
  const { theirs, version, typed } = event;
  const isKnown =
    version !== undefined && state.version !== undefined
      ? version === state.version
      : isSameInput(theirs, state.base);
  // What a save stores is fetched anew behind it.
  if (isShut(state) || isKnown) return state;
  const differences = compare(state, theirs, typed, source);
  const isPristine = changedFields(source, state.base, typed).length === 0;
  if (isPristine || differences.conflicts.length + differences.others.length === 0)
    return takeOver(state, event, typed, {}, source);
  return { ...state, conflict: toConflict(state.conflict, "noticed", event, differences) };
}

/** Both versions as chosen; with the conflict still there while a choice is missing. Typing went on meanwhile. */
function settle(state: EditorState, typed: Inputs, source: RecordSource): EditorState {
  const { conflict } = state;
  if (!conflict) return state;
  const differences = compare(state, conflict.theirs, typed, source);
  const isMissing = differences.conflicts.some(({ unit }) => conflict.choices[unit.key] === undefined);
  if (isMissing) return { ...state, conflict: { ...conflict, differences, asked: {} } };
  return takeOver(state, conflict, typed, conflict.choices, source);
}

/** A new record is sent a switch that nobody touched, as it says "no" all the same, and a default, which counts like typed. */
function listSent({ isNew, base }: EditorState, sent: Inputs, source: RecordSource): string[] {
  if (!isNew) return changedFields(source, base, sent);
  const { fields, defaults = {} } = source;
  const given = fields.filter(({ control, name }) => control === "switch" || name in defaults);
  // Of a copy too, whatever it has from its original.
  return [...changedFields(source, toInputs(source, null), sent), ...given.map(({ name }) => name)];
}

/** One save at a time: the key can be pressed faster than a save ends, and each press would make a record. */
function save(state: EditorState, typed: Inputs, source: RecordSource): EditorState {
  if (isShut(state)) return state;
  const settled = settle(state, typed, source);
  if (settled.conflict) return settled;
  const sent = settled === state ? typed : { ...typed, ...settled.laid };
  const names = listSent(settled, sent, source);
  if (state.isNew || names.length > 0) return { ...settled, phase: { kind: "saving", sent, names } };
  return tidy({ ...settled, phase: { kind: "saved" } }, sent, source);
}

/** Takes over what the server made of the sent values, but never what was typed meanwhile. */
function endUpdate(state: EditorState, event: EventOf<"updated">, source: RecordSource): EditorState {
  if (state.phase.kind !== "saving") return state;
  const { stored, version, typed } = event;
  const typedMeanwhile = changedFields(source, state.phase.sent, typed);
  const laid = Object.fromEntries(Object.entries(stored).filter(([name]) => !typedMeanwhile.includes(name)));
  const ended = { ...state, base: stored, version, laid, phase: { kind: "saved" } } as const;
  return tidy(ended, { ...typed, ...laid }, source);
}

function endCreation(state: EditorState, event: EventOf<"created">, source: RecordSource): EditorState {
  if (state.phase.kind !== "saving") return state;
  const { record, typed } = event;
  return tidy({ ...state, base: typed, phase: { kind: "created", record } }, typed, source);
}

function overtake(state: EditorState, event: EventOf<"overtaken">, source: RecordSource): EditorState {
  if (state.phase.kind !== "saving") return state;
  const differences = compare(state, event.theirs, event.typed, source);
  const conflict = toConflict(state.conflict, "refused", event, differences);
  return { ...state, phase: { kind: "editing" }, conflict };
}

function fail(state: EditorState, event: EventOf<"failed">, source: RecordSource): EditorState {
  if (state.phase.kind !== "saving") return state;
  const { error, fieldErrors, isSignedOut } = event;
  const failure = { error, placed: placeErrors(fieldErrors, source.fields), sent: state.phase.sent };
  return { ...state, phase: { kind: isSignedOut ? "signedOut" : "refused", ...failure } };
}

/** The offer is decided. The record may have been refreshed since the form was opened. */
function decide(state: EditorState, isRestored: boolean, source: RecordSource): EditorState {
  if (state.offer.kind !== "offered") return state;
  const { draft, plan } = state.offer;
  const decided = { ...state, offer: { kind: "decided", draft }, focus: {} } as const;
  if (!isRestored) return decided;
  const { names, inputs } = planRestore(source, state.base, draft) ?? plan;
  const laid = Object.fromEntries(names.map((name) => [name, inputs[name]]));
  return { ...decided, laid, focus: { field: names[0] } };
}

/** @returns the same object where the event can't be in this state, or changes nothing. */
export function reduce(state: EditorState, event: EditorEvent, source: RecordSource): EditorState {
  const { phase, conflict } = state;
  switch (event.type) {
    case "typed":
      return phase.kind === "saved" ? { ...state, phase: { kind: "editing" } } : state;
    case "asked":
      return isShut(state) ? state : { ...state, after: event.after };
    case "invalid":
      return isShut(state) ? state : { ...state, after: "stay" };
    case "save":
      return save(state, event.typed, source);
    case "updated":
      return endUpdate(state, event, source);
    case "created":
      return endCreation(state, event, source);
    case "failed":
      return fail(state, event, source);
    case "overtaken":
      return overtake(state, event, source);
    case "received":
      return receive(state, event, source);
    case "chosen":
      return conflict
        ? { ...state, conflict: { ...conflict, choices: { ...conflict.choices, [event.key]: event.choice } } }
        : state;
    case "settled": {
      if (!conflict) return state;
      const settled = settle(state, event.typed, source);
      return settled.conflict ? settled : { ...settled, focus: {} };
    }
    case "loaded": {
      if (!conflict) return state;
      // Nothing is typed where everything is theirs; the button that was pressed is gone.
      return { ...takeOver(state, conflict, state.base, {}, source), focus: {} };
    }
    case "restored":
      return decide(state, true, source);
    case "discarded":
      return decide(state, false, source);
    case "kept":
      return event.isKept === !state.isStorageFull ? state : { ...state, isStorageFull: !event.isKept };
    case "abandoned":
      return tidy({ ...state, base: event.typed }, event.typed, source);
    default:
      return event satisfies never;
  }
}
