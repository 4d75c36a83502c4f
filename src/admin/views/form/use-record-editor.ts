import { useCreate, useUpdate } from "@refinedev/core";
import { Form, type FormInstance } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelInfo, ModelRecord } from "#contract/models.ts";
import { type DataError, isDataError } from "#providers/data.ts";
import { objectsResource } from "#resources/objects.ts";
import { useRefreshModels } from "../../models/use-models.ts";
import { placeErrors } from "./field-errors.ts";
import { changedFields, type Inputs, toBody, toInputs } from "./form-values.ts";

export interface RecordEditor {
  form: FormInstance<Inputs>;
  initialInputs: Inputs;
  isNew: boolean;
  isSaving: boolean;
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

function toProblems(error: unknown, fallback: string): string[] {
  return [isDataError(error) || error instanceof Error ? error.message : fallback];
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
  const [isSaved, setSaved] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: create, mutation: creation } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: update, mutation: updating } = useUpdate<ModelRecord, DataError, Inputs>(notices);
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
    setProblems(isPlaced ? placed.others : [...toProblems(error, t("errors.unknown")), ...placed.others]);
    // antd's names are mutable arrays.
    form.setFields(placed.inputs.map(({ name, errors }) => ({ name: [...name], errors })));
    const [first] = placed.inputs;
    if (first) form.scrollToField([...first.name], { block: "center", focus: true });
  }

  async function save(): Promise<void> {
    const sent = currentInputs();
    const names = record ? changed() : [...changed(), ...switchNames(model)];
    setProblems([]);
    if (record && names.length === 0) {
      setSaved(true);
      return;
    }
    const values = toBody(model, sent, names);
    try {
      if (record) {
        const { data } = await update({
          resource,
          id: record.id,
          values,
          successNotification: { type: "success", message: t("form.saved") },
        });
        takeOver(data, sent);
        setSaved(true);
      } else {
        const { data } = await create({
          resource,
          values,
          successNotification: { type: "success", message: t("form.created") },
        });
        saved.current = currentInputs();
        refreshModels();
        onCreated(data);
      }
    } catch (error) {
      showErrors(error);
    }
  }

  return {
    form,
    initialInputs,
    isNew: record === null,
    isSaving: creation.isPending || updating.isPending,
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
