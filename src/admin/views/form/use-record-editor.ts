import { useCreate, useInvalidate, useNotification, useUpdate } from "@refinedev/core";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { getEtag } from "#providers/refine/data.ts";
import { type DataError, isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { useServices } from "../../services.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { createRefusals, inputPaths, type Refusals } from "../kinds/field-errors.ts";
import { changedFields, type Inputs, toBody, toInputs } from "../kinds/registry.ts";
import { type TypedForm, useTypedForm } from "../kinds/typed-form.tsx";
import { createDraftKeeper, type DraftPlace, drafts, toDraftFields } from "./drafts.ts";
import {
  type AfterSave,
  type EditorEvent,
  type EditorState,
  isShut,
  openEditor,
  reduce,
} from "./editor-machine.ts";
import { type Choice, readUnit } from "./merge-inputs.ts";

export interface RecordEditor {
  state: EditorState;
  form: TypedForm;
  /** What the inputs begin with. */
  initial: Inputs;
  /** What is typed now. Never while drawing. */
  read: () => Inputs;
  /** Names of changed fields. Read at the moment of asking: a navigation right after a save must not see what was drawn before. */
  listChanged: () => string[];
  isSaving: boolean;
  /** The record is being made: its form gives way to the stored record's, so nothing may be typed meanwhile. */
  isCreating: boolean;
  /** Errors that belong under no input of the form. */
  problems: readonly string[];
  /** Values that the server has refused. */
  refused: Refusals;
  choose: (key: string, choice: Choice) => void;
  /** Goes on with both versions as chosen; after a refused save it saves again. */
  settle: () => void;
  /** Puts the current version of the record in place of what was typed. */
  loadCurrent: () => void;
  restore: () => void;
  discard: () => void;
  /** The same person is signed in again: what was refused is sent once more. */
  resume: () => void;
  abandon: () => void;
  onValuesChange: (changed: Inputs) => void;
  /** Checks the inputs, and saves once they are content. */
  submit: (after?: AfterSave) => void;
  /** Saves what changed. Called by the form. */
  save: () => void;
  /** The inputs were not content. */
  onRefusedInputs: () => void;
}

/** A new record that is made of another one. */
export interface Copy {
  /** The original's values, as far as a copy may have them. */
  record: ModelRecord;
  /** What was typed into the original's form and not saved there. */
  typed: Inputs;
}

interface EditorOptions {
  source: RecordSource;
  /** The record as it was fetched last; null makes a new one. */
  record: ModelRecord | null;
  /** What a new record begins with. */
  copy?: Copy | undefined;
  /** The record's version, where the server names one: a save over a newer one is refused. */
  etag?: string | undefined;
  /** The record was made a moment ago, by a form that has given way to this one. */
  isJustCreated?: boolean;
  onCreated: (record: ModelRecord, after: AfterSave) => void;
  onUpdated: (after: AfterSave) => void;
}

/** Where this form's draft lies; null while nobody is signed in. A session that ends later leaves it where it is. */
function useDraftPlace({ source, record, copy }: EditorOptions): DraftPlace | null {
  const { session } = useServices();
  const [userId] = useState(() => session.getAuthState()?.user.id ?? null);
  const id = record?.id ?? (copy ? (`copy ${copy.record.id}` as const) : "new");
  return userId === null ? null : { userId, resource: source.resource, id };
}

/** The calls behind a save, and the notices of their success. */
function useWrites({ resource }: RecordSource) {
  const { t } = useTranslation();
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: sendCreate } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: sendUpdate } = useUpdate<ModelRecord, DataError, Inputs>(notices);
  const notify = (message: string) => ({ successNotification: { type: "success", message } as const });
  return {
    create: (values: Inputs) => sendCreate({ resource, values, ...notify(t("form.created")) }),
    update: (id: number, values: Inputs, ifMatch: string | undefined) =>
      sendUpdate({ resource, id, values, meta: { ifMatch }, ...notify(t("form.saved")) }),
  };
}

function useProblems({ phase }: EditorState): readonly string[] {
  const { t } = useTranslation();
  if (phase.kind !== "refused" && phase.kind !== "signedOut") return [];
  const { placed, error } = phase;
  return placed.inputs.length > 0 ? placed.others : [toErrorText(error, t), ...placed.others];
}

const UNAUTHORIZED = 401;

function toFailed(error: unknown, source: RecordSource, read: () => Inputs): EditorEvent {
  const known = isDataError(error) ? error : undefined;
  if (known?.stale) {
    const { current: theirs, current_etag: version } = known.stale;
    return { type: "overtaken", theirs: toInputs(source, theirs), version, typed: read() };
  }
  const isSignedOut = known?.statusCode === UNAUTHORIZED;
  return { type: "failed", error, fieldErrors: known?.fieldErrors ?? [], isSignedOut };
}

/** What follows once a state is drawn: an input that is still disabled can't take the focus. */
function useDrawn({ phase, focus }: EditorState, form: TypedForm, refused: Refusals, source: RecordSource) {
  useLayoutEffect(() => {
    if (phase.kind !== "refused" && phase.kind !== "signedOut") return;
    refused.note(phase.placed.inputs, (path) => readUnit(phase.sent, path));
    form.showErrors(phase.placed.inputs);
  }, [phase, refused, form]);
  const moveFocus = useEffectEvent((field: string | undefined) => {
    const paths = source.fields.flatMap(inputPaths);
    const path = paths.find(([name]) => name === field) ?? paths[0];
    if (path) form.focus(path);
  });
  const moved = useRef(focus);
  useLayoutEffect(() => {
    if (moved.current === focus) return;
    moved.current = focus;
    moveFocus(focus.field);
  }, [focus]);
}

/** The last moment before the page goes, or the form. */
function useLeaving(onLeave: () => void): void {
  const leave = useEffectEvent(onLeave);
  useEffect(() => {
    const listener = () => leave();
    window.addEventListener("pagehide", listener);
    document.addEventListener("visibilitychange", listener);
    return () => {
      window.removeEventListener("pagehide", listener);
      document.removeEventListener("visibilitychange", listener);
      leave();
    };
  }, []);
}

/**
 * One record's form: `editor-machine.ts` says what becomes of it, and this hook does what follows from its states. The state is
 * kept beside React, as a blocker of navigation asks before the next drawing.
 */
export function useRecordEditor(options: EditorOptions): RecordEditor {
  const { source, record, copy, etag, isJustCreated = false, onCreated, onUpdated } = options;
  const { t } = useTranslation();
  const form = useTypedForm();
  const writes = useWrites(source);
  const refreshModels = useRefreshModels();
  const invalidate = useInvalidate();
  const { open: notify } = useNotification();
  const place = useDraftPlace(options);
  const [keeper] = useState(() => createDraftKeeper(place));
  const [refused] = useState(createRefusals);
  const [state, draw] = useState(() => {
    const base = toInputs(source, record ?? copy?.record ?? null);
    const initial = { ...base, ...copy?.typed };
    const found = place ? drafts.list(place) : [];
    const isNew = record === null;
    return openEditor(source, { isNew, base, initial, version: etag, drafts: found, isJustCreated });
  });
  const [initial] = useState(state.laid);
  const current = useRef(state);

  const read = (): Inputs => ({ ...current.current.base, ...form.read() });
  const listChanged = () => changedFields(source, current.current.base, read());

  function send(event: EditorEvent): void {
    const before = current.current;
    const after = reduce(before, event, source);
    if (after === before) return;
    current.current = after;
    draw(after);
    follow(after, before);
  }

  function keep(): void {
    const { version, base } = current.current;
    send({ type: "kept", isKept: keeper.keep(version, toDraftFields(source, base, read())) });
  }

  function follow(after: EditorState, before: EditorState): void {
    const { phase, offer } = after;
    if (after.laid !== before.laid) form.put(after.laid);
    if (offer.kind === "decided" && offer !== before.offer) {
      keeper.drop(offer.draft);
      keep();
    }
    const isMoved = phase !== before.phase;
    const isStored = isMoved && (phase.kind === "saved" || phase.kind === "created");
    if ((isStored || after.base !== before.base) && listChanged().length === 0) keeper.forget();
    if (!isMoved) return;
    if (phase.kind === "saving") void transmit(phase);
    if (phase.kind === "saved") onUpdated(after.after);
    if (phase.kind === "created") {
      refreshModels();
      onCreated(phase.record, after.after);
    }
  }

  async function write(sent: Inputs, names: readonly string[]): Promise<EditorEvent> {
    if (record === null) {
      const { data } = await writes.create(toBody(source, sent, names));
      return { type: "created", record: data, typed: read() };
    }
    const answer = await writes.update(record.id, toBody(source, sent, names), current.current.version);
    return {
      type: "updated",
      stored: toInputs(source, answer.data),
      version: getEtag(answer),
      typed: read(),
    };
  }

  async function transmit({ sent, names }: { sent: Inputs; names: readonly string[] }): Promise<void> {
    send(await write(sent, names).catch((error) => toFailed(error, source, read)));
  }

  function submit(after: AfterSave = "stay"): void {
    if (isShut(current.current)) return;
    send({ type: "asked", after });
    refused.clear();
    form.submit();
  }

  const onReceived = useEffectEvent((received: ModelRecord, version: string | undefined) =>
    send({ type: "received", theirs: toInputs(source, received), version, typed: read() }),
  );
  useEffect(() => {
    if (record) onReceived(record, etag);
  }, [record, etag]);

  useLeaving(() => {
    // The form takes over what is being typed, which makes a draft due.
    form.flush();
    if (keeper.isDue()) keep();
  });
  useDrawn(state, form, refused, source);

  return {
    state,
    form,
    initial,
    read,
    listChanged,
    isSaving: state.phase.kind === "saving",
    isCreating: state.isNew && isShut(state),
    problems: useProblems(state),
    refused,
    choose: (key, choice) => send({ type: "chosen", key, choice }),
    settle() {
      const { conflict, after } = current.current;
      if (conflict?.reason === "refused") submit(after);
      else send({ type: "settled", typed: read() });
    },
    loadCurrent() {
      send({ type: "loaded" });
      if (record) {
        void invalidate({ resource: source.resource, id: record.id, invalidates: ["list", "detail"] });
      }
      notify?.({ key: "stale", type: "success", message: t("stale.loaded") });
    },
    restore: () => send({ type: "restored" }),
    discard: () => send({ type: "discarded" }),
    resume() {
      if (current.current.phase.kind === "signedOut") submit(current.current.after);
    },
    abandon: () => send({ type: "abandoned", typed: read() }),
    onValuesChange(changed) {
      send({ type: "typed" });
      keeper.schedule(() => keep());
      form.forgetErrors(changed);
    },
    submit,
    save: () => send({ type: "save", typed: read() }),
    onRefusedInputs: () => send({ type: "invalid" }),
  };
}
