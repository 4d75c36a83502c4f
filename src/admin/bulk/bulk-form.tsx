import { Alert, Button, Radio } from "antd";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { ExportOptions } from "../exports/export-options.tsx";
import { ExportProgress, useFocusBack } from "../exports/export-progress.tsx";
import { type ExportChoice, useExport } from "../exports/use-export.ts";
import { UnsavedGuard } from "../views/form/unsaved-guard.tsx";
import { placeErrors } from "../views/kinds/field-errors.ts";
import { toBody } from "../views/kinds/registry.ts";
import { useTypedForm } from "../views/kinds/typed-form.tsx";
import { pickColumns } from "../views/list/columns/columns.ts";
import { toSelectionExport } from "../views/list/list-export.ts";
import { type ListView, toRowQuery } from "../views/state/list-view.ts";
import { BULK_OPERATIONS, type BulkOperation, type Selection } from "../views/state/selection.ts";
import { Outcome } from "./outcome.tsx";
import { hasTyped, UpdateFields } from "./update-fields.tsx";
import type { BulkOutcome, BulkTask } from "./use-bulk.ts";

/** What the person may do with many objects; who sees them may export them. */
function toAllowed({ permissions, fields }: RecordSource): readonly BulkOperation[] {
  const hasInputs = fields.some((field) => !field.read_only);
  return BULK_OPERATIONS.filter((operation) => {
    if (operation === "export") return permissions.view;
    return permissions[operation] && (operation === "delete" || hasInputs);
  });
}

interface BulkInputs {
  operation: BulkOperation | undefined;
  selectedCount: number;
  /** Of an update: names of the ticked fields. */
  ticked: readonly string[];
  /** Whether their values fit. */
  fits: boolean;
}

/** What is still missing (specification B section 5), the first thing first; undefined: the operation is valid. */
function findMissing({
  operation,
  selectedCount,
  ticked,
  fits,
}: BulkInputs): "operation" | "objects" | "fields" | "values" | undefined {
  if (!operation) return "operation";
  if (selectedCount === 0) return "objects";
  if (operation !== "update") return undefined;
  if (ticked.length === 0) return "fields";
  return fits ? undefined : "values";
}

function DeleteWarning() {
  const { t } = useTranslation();
  return (
    <Alert
      type="warning"
      showIcon
      message={t("bulk.deleteWarning")}
      description={t("bulk.deleteWarningHelp")}
    />
  );
}

interface BulkFormProps {
  source: RecordSource;
  /** It takes the place of one that has done its work, or was reset. */
  isAnew: boolean;
  firstOperation: BulkOperation | undefined;
  selection: Selection;
  selectedCount: number;
  view: ListView;
  isBusy: boolean;
  outcome: BulkOutcome | undefined;
  onSubmit: (task: BulkTask) => void;
  onExported: () => void;
  onReset: () => void;
}

const PLAIN_CSV: ExportChoice = { format: "csv", columns: [], keepsFormulas: false };

/** The button that was pressed has gone with the form before: its place is at the beginning of this one. */
function useFocusOnArrival(isAnew: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnew && document.activeElement === document.body) heading.current?.focus();
  }, [isAnew]);
  return heading;
}

/** Which operation, with what values. It says what is missing, and its button waits until nothing is. */
export function BulkForm(props: BulkFormProps) {
  const { source, firstOperation, selection, selectedCount, view, isBusy, outcome } = props;
  const { t } = useTranslation();
  const id = useId();
  const form = useTypedForm();
  const allowed = toAllowed(source);
  const [operation, setOperation] = useState(
    firstOperation && allowed.includes(firstOperation) ? firstOperation : undefined,
  );
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [fits, setFits] = useState(true);
  const [choice, setChoice] = useState(PLAIN_CSV);
  const file = useExport();
  const missing = findMissing({ operation, selectedCount, ticked, fits });
  const isRunning = isBusy || file.state.kind === "running";
  const button = useFocusBack(isRunning);
  const heading = useFocusOnArrival(props.isAnew);
  const failure = outcome?.kind === "failed" ? outcome : undefined;

  // What the server found wrong with a value stands under its input.
  useEffect(() => {
    form.showErrors(placeErrors(failure?.fieldErrors ?? [], source.fields).inputs);
  }, [failure, form, source.fields]);

  async function exportRows(): Promise<void> {
    const call = toSelectionExport(source.resource, toRowQuery(view), selection, choice);
    const isSaved = await file.start({
      ...call,
      format: choice.format,
      modelName: source.model_name,
      rowCount: selectedCount,
    });
    if (isSaved) props.onExported();
  }

  function submit(): void {
    if (missing || isRunning || !operation) return;
    if (operation === "export") void exportRows();
    else {
      const data = operation === "update" ? toBody(source, form.read(), ticked) : {};
      props.onSubmit({ operation, selection, view, data });
    }
  }

  return (
    <section className="bulk-form" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1}>
        {t("bulk.operation")}
      </h2>
      <Outcome outcome={outcome} fields={source.fields} />
      <Radio.Group
        aria-labelledby={`${id}-title`}
        optionType="button"
        value={operation}
        disabled={isRunning}
        options={allowed.map((name) => ({ value: name, label: t(`bulk.operations.${name}`) }))}
        onChange={({ target }) => setOperation(target.value)}
      />
      {operation === "update" && (
        <UpdateFields
          source={source}
          form={form}
          ticked={ticked}
          isDisabled={isRunning}
          onTick={setTicked}
          onFits={setFits}
          onSubmit={submit}
        />
      )}
      {operation === "delete" && <DeleteWarning />}
      {operation === "export" && (
        <ExportOptions
          choice={choice}
          onChange={setChoice}
          shownColumns={pickColumns(source, view.columns).map(({ name }) => name)}
        />
      )}
      <UnsavedGuard
        isDirty={() => operation === "update" && hasTyped(source, form, ticked)}
        onAbandon={() => form.reset()}
      />
      <div className="bulk-actions">
        {file.state.kind === "running" ? (
          <ExportProgress state={file.state} onCancel={file.cancel} />
        ) : (
          <>
            <Button
              ref={button}
              type="primary"
              danger={operation === "delete"}
              disabled={missing !== undefined}
              loading={isBusy}
              aria-describedby={`${id}-missing`}
              onClick={submit}
            >
              {t(`bulk.submit.${operation ?? "none"}`)}
            </Button>
            <Button disabled={isRunning} onClick={props.onReset}>
              {t("bulk.reset")}
            </Button>
          </>
        )}
        <span id={`${id}-missing`} className="bulk-help" role="status">
          {isBusy ? t("bulk.previewing") : missing && t(`bulk.need.${missing}`)}
        </span>
      </div>
    </section>
  );
}
