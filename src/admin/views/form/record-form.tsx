import "./form.css";
import { App } from "antd";
import { type ReactNode, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useToRelated } from "../../models/use-models.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Cell, toCellWords } from "../kinds/cell.tsx";
import { RefusalsContext } from "../kinds/field-errors.ts";
import { kindOf } from "../kinds/registry.ts";
import { TypedFormView } from "../kinds/typed-form.tsx";
import { FormNotices } from "./form-notices.tsx";
import type { RecordEditor } from "./use-record-editor.ts";

interface RecordFormProps {
  id: string;
  source: RecordSource;
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

/** A control for each field of the model, by the control's name. */
export function RecordForm({ id, source, record, editor, isShown }: RecordFormProps) {
  const { form, initial } = editor;
  const ask = useSaveQuestion(source);
  const toRelated = useToRelated();
  // Ctrl or ⌘ with S saves, and never opens the browser's own dialog.
  useShortcut("Mod+s", "form.shortcuts.save", () => editor.submit(), isShown);
  // The same elements at each drawing: what is said of the form as a whole draws no input anew.
  const controls = useMemo(
    () =>
      source.fields.map((field) => {
        if (field.read_only) return null;
        const { Control } = kindOf(field);
        return <Control key={field.name} field={field} source={source} />;
      }),
    [source],
  );
  return (
    <>
      <FormNotices source={source} editor={editor} />
      <TypedFormView
        id={id}
        name={id}
        form={form}
        layout="vertical"
        disabled={editor.isCreating}
        requiredMark={markRequired}
        initialValues={initial}
        validateTrigger="onBlur"
        scrollToFirstError={{ block: "center", focus: true }}
        onValuesChange={editor.onValuesChange}
        onFinish={() => ask(editor.read(), editor.save)}
        onFinishFailed={editor.onRefusedInputs}
      >
        <RefusalsContext value={editor.refused}>{controls}</RefusalsContext>
      </TypedFormView>
      {record && <ReadOnlyFields source={source} record={record} toRelated={toRelated} />}
    </>
  );
}

/** Asks before inputs are saved that their author may not have thought through; saves at once where there is nothing to ask. */
function useSaveQuestion(source: RecordSource) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  // The key that saves can be pressed again over the question.
  const isAsking = useRef(false);
  return (inputs: Readonly<Record<string, unknown>>, save: () => void): void => {
    const question = source.toQuestion?.(inputs);
    if (isAsking.current) return;
    if (!question) {
      save();
      return;
    }
    isAsking.current = true;
    let isAgreed = false;
    modal.confirm({
      title: question.title,
      content: question.text,
      okText: question.ok,
      okButtonProps: { danger: true },
      cancelText: t("actions.cancel"),
      autoFocusButton: "cancel",
      onOk() {
        isAgreed = true;
      },
      // Not before: the dialog gives the focus back as it closes, and would take it from the field of a refused value.
      afterClose() {
        isAsking.current = false;
        if (isAgreed) save();
      },
    });
  };
}

/** Longer texts, and those of several lines, have the whole width. */
const SHORT_TEXT_MAX_CHARS = 80;

function isLong(text: string): boolean {
  return text.length > SHORT_TEXT_MAX_CHARS || text.includes("\n");
}

/** An address of this site, whole: the server writes its path alone where it doesn't know how it is called. */
function toWhole(value: string): string {
  return value.startsWith("/") ? new URL(value, window.location.origin).href : value;
}

/** A link or the like that the server made to be passed on: to read, and to copy at once. */
function SharedText({ field, value }: { field: FieldInfo; value: string }) {
  const { t } = useTranslation();
  const text = toWhole(value);
  return (
    <span className="shared-text">
      <code>{text}</code>
      <CopyButton text={text} label={t("form.copyValue", { name: field.verbose_name })} />
    </span>
  );
}

/** Values that the server alone writes, as text: whole, with their line breaks. */
export function ReadOnlyFields({
  source,
  record,
  toRelated,
}: {
  source: RecordSource;
  record: ModelRecord;
  toRelated: ReturnType<typeof useToRelated>;
}) {
  const lang = toLanguage(useTranslation().i18n.language);
  const fields = source.fields.filter((field) => field.read_only);
  if (fields.length === 0) return null;
  return (
    <dl className="read-only-fields">
      {fields.map((field) => (
        <div
          key={field.name}
          data-long={field.is_secret || isLong(toCellWords(field, record[field.name], lang)) || undefined}
        >
          <dt>{field.verbose_name}</dt>
          <dd>
            {field.is_secret && typeof record[field.name] === "string" ? (
              <SharedText field={field} value={String(record[field.name])} />
            ) : (
              <Cell field={field} value={record[field.name]} isWhole toRelated={toRelated} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
