import { useInvalidate, useNotification } from "@refinedev/core";
import type { FormInstance } from "antd";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { getEtag, isDataError } from "#providers/refine/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import type { Refusals } from "../kinds/field-errors.ts";
import { changedFields, type Inputs, toBody, toInputs } from "../kinds/registry.ts";
import { reportTyped } from "../kinds/text-input.tsx";
import { type Conflict, useConflict } from "./conflict.tsx";
import { type DraftState, useDraft } from "./draft.tsx";
import type { DraftPlace } from "./drafts.ts";
import type { Choice } from "./merge-inputs.ts";
import { useSaveErrors, useWrites } from "./saving.ts";
import { type FormInputs, useFormInputs } from "./use-form-inputs.ts";

/** Where to go once the record is stored. */
export type AfterSave = "stay" | "close" | "another";

export interface RecordEditor {
  form: FormInstance<Inputs>;
  inputs: FormInputs;
  isNew: boolean;
  isSaving: boolean;
  /** The record is being made: its form gives way to the stored record's, so nothing may be typed meanwhile. */
  isCreating: boolean;
  /** A save has succeeded and nothing was changed since. */
  isSaved: boolean;
  /** Errors that belong under no input of the form. */
  problems: readonly string[];
  /** Values that the server has refused. */
  refused: Refusals;
  /** A newer version of somebody else's that has to be brought together with what was typed. */
  conflict: Conflict | null;
  choose: (key: string, choice: Choice) => void;
  /** Goes on with both versions as chosen; after a refused save it saves again. */
  settle: () => void;
  /** Puts the current version of the record in place of what was typed. */
  loadCurrent: () => void;
  /** A version that was fetched while the form is open. */
  onNewer: (record: ModelRecord, etag: string | undefined) => void;
  /** What this browser keeps of the form until it is saved. */
  draft: DraftState;
  /** Saves that were refused because the session was over. */
  refusals: number;
  /** The same person is signed in again: what was refused is sent once more. */
  resume: () => void;
  /** Read at the moment of asking: a navigation right after a save must not see the state of the drawing before. */
  isDirty: () => boolean;
  /** What is typed may be lost from now on: the person has said so, or the record is gone. */
  abandon: () => void;
  onValuesChange: (changed: Inputs) => void;
  /** Checks the inputs, and saves once they are content. */
  submit: (after?: AfterSave) => void;
  /** Saves what changed. Called by the form. */
  save: () => Promise<void>;
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
  /** The record as it was when the form opened; null makes a new one. */
  record: ModelRecord | null;
  /** What a new record begins with. */
  copy?: Copy | undefined;
  /** Its version, where the server names one: a save over a newer one is refused. */
  etag?: string | undefined;
  /** The record was made a moment ago, by a form that has given way to this one. */
  isJustCreated?: boolean;
  onCreated: (record: ModelRecord, after: AfterSave) => void;
  onUpdated?: (after: AfterSave) => void;
}

function toDraftId(record: ModelRecord | null, copy: Copy | undefined): DraftPlace["id"] {
  if (record) return record.id;
  return copy ? `copy ${copy.record.id}` : "new";
}

const UNAUTHORIZED = 401;

/** A switch that nobody touched says "no" all the same, and a default counts like typed: a new record is sent both. */
function givenNames({ fields, defaults = {} }: RecordSource): string[] {
  return fields
    .filter(({ control, name }) => control === "switch" || name in defaults)
    .map(({ name }) => name);
}

/**
 * State of one record's form. A failed save keeps every input; a save that succeeds takes over what the server made of the
 * sent values, but never what was typed while it was under way.
 */
export function useRecordEditor(options: EditorOptions): RecordEditor {
  const { source, record, copy, etag, isJustCreated = false, onCreated, onUpdated } = options;
  const { t } = useTranslation();
  const inputs = useFormInputs(source, record ?? copy?.record ?? null, copy?.typed);
  const { form } = inputs;
  const version = useConflict(source, inputs, etag);
  const draft = useDraft(source, toDraftId(record, copy), inputs, version.readVersion);
  const writes = useWrites(source);
  const errors = useSaveErrors(source, inputs);
  const after = useRef<AfterSave>("stay");
  const isUnderWay = useRef(false);
  const isToResume = useRef(false);
  const [refusals, setRefusals] = useState(0);
  const [isSaved, setSaved] = useState(isJustCreated);
  const [isCreating, setCreating] = useState(false);
  const refreshModels = useRefreshModels();
  const invalidate = useInvalidate();
  const { open: notify } = useNotification();

  function takeOver(answer: ModelRecord, sent: Inputs): void {
    const stored = toInputs(source, answer);
    const typedMeanwhile = changedFields(source, sent, inputs.read());
    const settled = Object.entries(stored).filter(([name]) => !typedMeanwhile.includes(name));
    inputs.setBase(stored);
    inputs.put(Object.fromEntries(settled));
  }

  function showErrors(error: unknown, sent: Inputs): void {
    if (isDataError(error) && error.stale) version.refuse(error.stale.current, error.stale.current_etag);
    else errors.show(error, sent);
  }

  async function update(id: number, sent: Inputs): Promise<void> {
    const names = changedFields(source, inputs.readBase(), sent);
    if (names.length > 0) {
      const answer = await writes.update(id, toBody(source, sent, names), version.readVersion());
      version.setVersion(getEtag(answer));
      takeOver(answer.data, sent);
    }
    setSaved(true);
    if (inputs.changed().length === 0) draft.forget();
    onUpdated?.(after.current);
  }

  async function create(sent: Inputs): Promise<void> {
    setCreating(true);
    // Of a copy too, whatever it has from its original.
    const names = [...changedFields(source, toInputs(source, null), sent), ...givenNames(source)];
    const { data } = await writes.create(toBody(source, sent, names));
    inputs.setBase(inputs.read());
    draft.forget();
    refreshModels();
    onCreated(data, after.current);
  }

  /** One save at a time: the key can be pressed faster than a save ends, and each press would make a record. */
  async function save(): Promise<void> {
    if (isUnderWay.current || !version.settle()) return;
    isUnderWay.current = true;
    isToResume.current = false;
    errors.clearProblems();
    const sent = inputs.read();
    try {
      if (record) await update(record.id, sent);
      else await create(sent);
      // The form of a new record stays shut: it gives way to the record's own.
      isUnderWay.current = record === null;
    } catch (error) {
      isUnderWay.current = false;
      isToResume.current = isDataError(error) && error.statusCode === UNAUTHORIZED;
      // At once: an input that is still disabled can't take the focus.
      flushSync(() => setCreating(false));
      if (isToResume.current) setRefusals((count) => count + 1);
      showErrors(error, sent);
    }
  }

  function submit(next: AfterSave = "stay"): void {
    after.current = next;
    errors.refusals.clear();
    reportTyped();
    form.submit();
  }

  return {
    form,
    inputs,
    isNew: record === null,
    isSaving: writes.isSaving,
    isCreating,
    isSaved,
    problems: errors.problems,
    refused: errors.refusals,
    conflict: version.conflict,
    choose: version.choose,
    settle() {
      const isRefused = version.conflict?.reason === "refused";
      if (isRefused) submit(after.current);
      else if (version.settle()) inputs.focusFirst();
    },
    loadCurrent() {
      const id = version.conflict?.record.id;
      version.loadCurrent();
      draft.forget();
      if (id !== undefined)
        void invalidate({ resource: source.resource, id, invalidates: ["list", "detail"] });
      notify?.({ key: "stale", type: "success", message: t("stale.loaded") });
      // The button that was pressed is gone.
      inputs.focusFirst();
    },
    onNewer(newer, newerEtag) {
      // What a save stores is fetched anew behind it.
      if (!isUnderWay.current) version.onNewer(newer, newerEtag);
    },
    draft,
    refusals,
    resume() {
      if (isToResume.current) submit(after.current);
    },
    isDirty: () => inputs.changed().length > 0,
    abandon() {
      inputs.setBase(inputs.read());
      draft.forget();
    },
    onValuesChange(changedInputs) {
      setSaved(false);
      draft.schedule();
      errors.onTyped(changedInputs);
    },
    submit,
    save,
    onRefusedInputs() {
      after.current = "stay";
    },
  };
}
