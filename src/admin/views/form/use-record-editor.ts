import { useCreate, useUpdate } from "@refinedev/core";
import { Form, type FormInstance } from "antd";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { ModelInfo, ModelRecord } from "#contract/models.ts";
import { type DataError, isDataError } from "#providers/data.ts";
import { objectsResource } from "#resources/objects.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { placeErrors } from "./field-errors.ts";
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
  /** Read at the moment of asking: a navigation right after a save must not see the state of the drawing before. */
  isDirty: () => boolean;
  onValuesChange: (changed: Inputs) => void;
  /** Saves what changed. Called by the form once its own rules are content. */
  save: () => Promise<void>;
}

interface EditorOptions {
  model: ModelInfo;
  /** The record as it was when the form opened; null makes a new one. */
  record: ModelRecord | null;
  onCreated: (record: ModelRecord) => void;
}

/** A switch that nobody touched says "no" all the same, so a new record is sent it. */
function switchNames(model: ModelInfo): string[] {
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
export function useRecordEditor({ model, record, onCreated }: EditorOptions): RecordEditor {
  const { t } = useTranslation();
  const [form] = Form.useForm<Inputs>();
  const [initialInputs] = useState(() => toInputs(model, record));
  const saved = useRef(initialInputs);
  const isUnderWay = useRef(false);
  const [isSaved, setSaved] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: sendCreate, mutation: creation } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: sendUpdate, mutation: updating } = useUpdate<ModelRecord, DataError, Inputs>(notices);
  const refreshModels = useRefreshModels();
  const resource = objectsResource(model.content_type_id);

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

  function showErrors(error: unknown): void {
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
      const { data } = await sendUpdate({
        resource,
        id,
        values: toBody(model, sent, names),
        successNotification: { type: "success", message: t("form.saved") },
      });
      takeOver(data, sent);
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
