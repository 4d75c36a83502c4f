import "./form.css";
import { Alert, Form } from "antd";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { CONTROLS } from "../kinds/registry.ts";
import { tellTyped } from "../kinds/text-input.tsx";
import { DraftOffer } from "./draft-offer.tsx";
import { ReadOnlyFields } from "./read-only-fields.tsx";
import { RefusalsContext } from "./refusals.ts";
import { useSaveQuestion } from "./save-question.ts";
import { StaleAlert } from "./stale-alert.tsx";
import type { RecordEditor } from "./use-record-editor.ts";

interface RecordFormProps {
  id: string;
  model: RecordSource;
  record: ModelRecord | null;
  editor: RecordEditor;
  /** The form is on the screen, and not another view of the record. */
  isShown: boolean;
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

/** What stands at the head of the form: what has to be decided, and what went wrong. */
function FormNotices({ model, editor }: { model: RecordSource; editor: RecordEditor }) {
  const { t } = useTranslation();
  const { problems, conflict, draft } = editor;
  const { createFailed, updateFailed } = model.texts ?? {};
  const failed = (editor.isNew ? createFailed : updateFailed) ?? t("errors.save");
  return (
    <>
      {model.notice && <Alert className="form-problems" type="info" showIcon message={model.notice} />}
      <DraftOffer draft={draft} />
      {conflict && (
        <StaleAlert
          conflict={conflict}
          onChoose={editor.choose}
          onSettle={editor.settle}
          onLoad={editor.loadCurrent}
        />
      )}
      {problems.length > 0 && (
        <Alert
          className="form-problems"
          type="error"
          showIcon
          role="alert"
          message={failed}
          description={problems.map((problem) => <p key={problem}>{problem}</p>)}
        />
      )}
    </>
  );
}

/** A control for each field of the model, by the control's name. */
export function RecordForm({ id, model, record, editor, isShown }: RecordFormProps) {
  const { form, inputs, isCreating, onValuesChange, save } = editor;
  const ask = useSaveQuestion(model);
  // Ctrl or ⌘ with S saves, and never opens the browser's own dialog.
  useShortcut("Mod+s", "form.shortcuts.save", () => editor.submit(), isShown);
  // The same elements at each drawing: what is said of the form as a whole draws no input anew.
  const controls = useMemo(
    () =>
      model.fields.map((field) => {
        if (field.read_only) return null;
        const { Control } = CONTROLS[field.control];
        return <Control key={field.name} field={field} model={model} />;
      }),
    [model],
  );
  return (
    <>
      <FormNotices model={model} editor={editor} />
      <Form
        id={id}
        name={id}
        form={form}
        layout="vertical"
        disabled={isCreating}
        requiredMark={markRequired}
        initialValues={inputs.initial}
        validateTrigger="onBlur"
        scrollToFirstError={{ block: "center", focus: true }}
        onSubmitCapture={tellTyped}
        onValuesChange={onValuesChange}
        onFinish={() => ask(inputs.read(), () => void save())}
        onFinishFailed={editor.onRefusedInputs}
      >
        <RefusalsContext value={editor.refused}>{controls}</RefusalsContext>
      </Form>
      {record && <ReadOnlyFields model={model} record={record} />}
    </>
  );
}
