import { useCreate, useInvalidate, useNotification, useUpdate } from "@refinedev/core";
import { Form, type FormInstance } from "antd";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { ModelRecord, StaleWrite } from "#contract/models.ts";
import { type DataError, getEtag, isDataError } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { inputPaths, placeErrors } from "./field-errors.ts";
import { changedFields, type Inputs, toBody, toInputs } from "./form-values.ts";

export interface RecordEditor {
  form: FormInstance<Inputs>;
  initialInputs: Inputs;
  isNew: boolean;
  isSaving: boolean;
  /** The record is being made: its form gives way to the stored record's, so nothing may be typed meanwhile. */
  isCreating: boolean;
  /** A save has succeeded and nothing was changed since. */
  isSaved: boolean;
  /** Errors that belong under no input of the form. */
  problems: readonly string[];
  /** Names of the fields that somebody else has changed, after a save that was refused because of it. */
  staleFields: readonly string[] | null;
  /** Puts the current version of the record in place of what was typed. */
  loadCurrent: () => void;
  /** Read at the moment of asking: a navigation right after a save must not see the state of the drawing before. */
  isDirty: () => boolean;
  onValuesChange: (changed: Inputs) => void;
  /** Saves what changed. Called by the form once its own rules are content. */
  save: () => Promise<void>;
}

interface EditorOptions {
  model: RecordSource;
  /** The record as it was when the form opened; null makes a new one. */
  record: ModelRecord | null;
  /** Its version, where the server names one: a save over a newer one is refused. */
  etag?: string | undefined;
  onCreated: (record: ModelRecord) => void;
}

/** A switch that nobody touched says "no" all the same, so a new record is sent it. */
function switchNames(model: RecordSource): string[] {
  return model.fields.filter(({ control }) => control === "switch").map(({ name }) => name);
}

/** Paths of the inputs that a change touched: `{ label: { tr: … } }` → `["label", "tr"]`. */
function touchedPaths(changed: Inputs): string[][] {
  return Object.entries(changed).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [[field], ...Object.keys(value).map((part) => [field, part])]
      : [[field]],
  );
}

/**
 * State of one record's form. A failed save keeps every input; a save that succeeds takes over what the server made of the
 * sent values, but never what was typed while it was under way.
 */
export function useRecordEditor({ model, record, etag, onCreated }: EditorOptions): RecordEditor {
  const { t } = useTranslation();
  const [form] = Form.useForm<Inputs>();
  const [initialInputs] = useState(() => toInputs(model, record));
  const saved = useRef(initialInputs);
  const version = useRef(etag);
  const isUnderWay = useRef(false);
  const [stale, setStale] = useState<StaleWrite | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: sendCreate, mutation: creation } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: sendUpdate, mutation: updating } = useUpdate<ModelRecord, DataError, Inputs>(notices);
  const refreshModels = useRefreshModels();
  const invalidate = useInvalidate();
  const { open: notify } = useNotification();
  const { resource } = model;

  const currentInputs = (): Inputs => ({ ...saved.current, ...form.getFieldsValue(true) });
  const changed = () => changedFields(model, saved.current, currentInputs());

  function takeOver(answer: ModelRecord, sent: Inputs): void {
    const stored = toInputs(model, answer);
    const untouched = changedFields(model, sent, currentInputs());
    const settled = Object.fromEntries(Object.entries(stored).filter(([name]) => !untouched.includes(name)));
    saved.current = stored;
    // antd's type for values has no room for unknown ones.
    form.setFieldsValue(settled as Parameters<typeof form.setFieldsValue>[0]);
  }

  function loadCurrent(): void {
    if (!stale) return;
    saved.current = toInputs(model, stale.current);
    version.current = stale.current_etag;
    form.setFieldsValue(saved.current as Parameters<typeof form.setFieldsValue>[0]);
    // Errors of what is gone now.
    const faulty = form.getFieldsError().filter(({ errors }) => errors.length > 0);
    form.setFields(faulty.map(({ name }) => ({ name: [...name], errors: [] })));
    setStale(null);
    void invalidate({ resource, id: stale.current.id, invalidates: ["list", "detail"] });
    notify?.({ key: "stale", type: "success", message: t("stale.loaded") });
    // The button that was pressed is gone.
    const [first] = model.fields.flatMap(inputPaths);
    if (first) form.focusField([...first]);
  }

  function showErrors(error: unknown): void {
    if (isDataError(error) && error.stale) {
      setStale(error.stale);
      return;
    }
    const placed = placeErrors(isDataError(error) ? error.fieldErrors : [], model.fields);
    const isPlaced = placed.inputs.length > 0;
    setProblems(isPlaced ? placed.others : [toErrorText(error, t), ...placed.others]);
    // antd's names are mutable arrays.
    form.setFields(placed.inputs.map(({ name, errors }) => ({ name: [...name], errors })));
    const [first] = placed.inputs;
    if (first) form.scrollToField([...first.name], { block: "center", focus: true });
  }

  async function update(id: number, sent: Inputs): Promise<void> {
    const names = changed();
    if (names.length > 0) {
      const answer = await sendUpdate({
        resource,
        id,
        meta: { ifMatch: version.current },
        values: toBody(model, sent, names),
        successNotification: { type: "success", message: t("form.saved") },
      });
      version.current = getEtag(answer);
      takeOver(answer.data, sent);
    }
    setSaved(true);
  }

  async function create(sent: Inputs): Promise<void> {
    setCreating(true);
    const { data } = await sendCreate({
      resource,
      values: toBody(model, sent, [...changed(), ...switchNames(model)]),
      successNotification: { type: "success", message: t("form.created") },
    });
    saved.current = currentInputs();
    refreshModels();
    onCreated(data);
  }

  /** One save at a time: the key can be pressed faster than a save ends, and each press would make a record. */
  async function save(): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setProblems([]);
    setStale(null);
    try {
      if (record) await update(record.id, currentInputs());
      else await create(currentInputs());
      // The form of a new record stays shut: it gives way to the record's own.
      isUnderWay.current = record === null;
    } catch (error) {
      isUnderWay.current = false;
      // At once: an input that is still disabled can't take the focus.
      flushSync(() => setCreating(false));
      showErrors(error);
    }
  }

  return {
    form,
    initialInputs,
    isNew: record === null,
    isSaving: creation.isPending || updating.isPending,
    isCreating,
    isSaved,
    problems,
    staleFields: stale && changedFields(model, saved.current, toInputs(model, stale.current)),
    loadCurrent,
    isDirty: () => changed().length > 0,
    onValuesChange(changedInputs) {
      setSaved(false);
      // Rules run when an input is left; an error that stands there goes as soon as somebody mends it.
      const mended = touchedPaths(changedInputs).filter((name) => form.getFieldError(name).length > 0);
      form.setFields(mended.map((name) => ({ name, errors: [] })));
    },
    save,
  };
}
