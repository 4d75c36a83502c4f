import "./form.css";
import { Alert, Form } from "antd";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { Cell } from "../cell.tsx";
import { CONTROLS } from "./controls/registry.ts";
import { StaleAlert } from "./stale-alert.tsx";
import type { RecordEditor } from "./use-record-editor.ts";

interface RecordFormProps {
  id: string;
  model: RecordSource;
  record: ModelRecord | null;
  editor: RecordEditor;
}

/** Ctrl or ⌘ with S saves, and never opens the browser's own dialog. */
function useSaveKey(submit: () => void): void {
  const latest = useRef(submit);
  useEffect(() => {
    latest.current = submit;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Values that the server alone writes, as text. */
function ReadOnlyFields({ model, record }: { model: RecordSource; record: ModelRecord }) {
  const fields = model.fields.filter((field) => field.read_only);
  if (fields.length === 0) return null;
  return (
    <dl className="read-only-fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.verbose_name}</dt>
          <dd>
            <Cell field={field} value={record[field.name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A star to look at; the input itself says `aria-required`. antd's own star becomes part of the label's name. */
function markRequired(label: ReactNode, { required }: { required: boolean }): ReactNode {
  return (
    <>
      {label}
      {required && (
        <span className="required-mark" aria-hidden>
          *
        </span>
      )}
    </>
  );
}

/** A control for each field of the model, by the control's name. */
export function RecordForm({ id, model, record, editor }: RecordFormProps) {
  const { t } = useTranslation();
  const { form, initialInputs, isCreating, onValuesChange, problems, save, staleFields } = editor;
  const nameOf = (name: string) => model.fields.find((field) => field.name === name)?.verbose_name ?? name;
  useSaveKey(form.submit);
  return (
    <>
      {staleFields && <StaleAlert fieldNames={staleFields.map(nameOf)} onLoad={editor.loadCurrent} />}
      {problems.length > 0 && (
        <Alert
          className="form-problems"
          type="error"
          showIcon
          role="alert"
          message={t("errors.save")}
          description={problems.map((problem) => <p key={problem}>{problem}</p>)}
        />
      )}
      <Form
        id={id}
        name={id}
        form={form}
        layout="vertical"
        disabled={isCreating}
        requiredMark={markRequired}
        initialValues={initialInputs}
        validateTrigger="onBlur"
        scrollToFirstError={{ block: "center", focus: true }}
        onValuesChange={onValuesChange}
        onFinish={() => void save()}
      >
        {model.fields.map((field) => {
          if (field.read_only) return null;
          const { Control } = CONTROLS[field.control];
          return <Control key={field.name} field={field} model={model} />;
        })}
      </Form>
      {record && <ReadOnlyFields model={model} record={record} />}
    </>
  );
}
