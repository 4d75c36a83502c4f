import { useCreate, useUpdate } from "@refinedev/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { type DataError, isDataError } from "#providers/refine/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { createRefusals, placeErrors, type Refusals } from "../kinds/field-errors.ts";
import type { Inputs } from "../kinds/registry.ts";
import { readUnit } from "./merge-inputs.ts";
import type { FormInputs } from "./use-form-inputs.ts";

/** The calls behind a save, and the notices of their success. */
export function useWrites(source: RecordSource) {
  const { t } = useTranslation();
  const notices = { errorNotification: false, successNotification: false } as const;
  const { mutateAsync: sendCreate, mutation: creation } = useCreate<ModelRecord, DataError, Inputs>(notices);
  const { mutateAsync: sendUpdate, mutation: updating } = useUpdate<ModelRecord, DataError, Inputs>(notices);
  const { resource } = source;
  const notify = (message: string) => ({ successNotification: { type: "success", message } as const });
  return {
    isSaving: creation.isPending || updating.isPending,
    create: (values: Inputs) => sendCreate({ resource, values, ...notify(t("form.created")) }),
    update: (id: number, values: Inputs, ifMatch: string | undefined) =>
      sendUpdate({ resource, id, values, meta: { ifMatch }, ...notify(t("form.saved")) }),
  };
}

export interface SaveErrors {
  /** Errors that belong under no input of the form. */
  problems: readonly string[];
  refusals: Refusals;
  /** Of a refused save: each error under its input, the first one in view and with the focus. */
  show: (error: unknown, sent: Inputs) => void;
  clearProblems: () => void;
  /** Takes away the errors of inputs that somebody is mending. */
  onTyped: (changed: Inputs) => void;
}

/** Paths of the inputs that a change touched: `{ label: { tr: … } }` → `["label", "tr"]`. */
function touchedPaths(changed: Inputs): string[][] {
  return Object.entries(changed).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [[field], ...Object.keys(value).map((part) => [field, part])]
      : [[field]],
  );
}

/** What went wrong with a save, where the person can mend it. */
export function useSaveErrors(source: RecordSource, { form }: FormInputs): SaveErrors {
  const { t } = useTranslation();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [refusals] = useState(createRefusals);
  return {
    problems,
    refusals,
    show(error, sent) {
      const placed = placeErrors(isDataError(error) ? error.fieldErrors : [], source.fields);
      const isPlaced = placed.inputs.length > 0;
      refusals.note(placed.inputs, (path) => readUnit(sent, path));
      setProblems(isPlaced ? placed.others : [toErrorText(error, t), ...placed.others]);
      // antd's names are mutable arrays.
      form.setFields(placed.inputs.map(({ name, errors }) => ({ name: [...name], errors })));
      const [first] = placed.inputs;
      if (first) form.scrollToField([...first.name], { block: "center", focus: true });
    },
    clearProblems: () => setProblems([]),
    onTyped(changed) {
      // Rules run when an input is left; an error that stands there goes as soon as somebody mends it.
      const mended = touchedPaths(changed).filter((name) => form.getFieldError(name).length > 0);
      if (mended.length > 0) form.setFields(mended.map((name) => ({ name, errors: [] })));
    },
  };
}
