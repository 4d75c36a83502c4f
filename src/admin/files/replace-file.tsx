import "../views/form/form.css";
import "./files.css";
import { useCustomMutation, useInvalidate, useNotification } from "@refinedev/core";
import { Alert, Modal } from "antd";
import type { TFunction } from "i18next";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import { replaceAnswer, type UploadAnswer } from "#contract/content/objects.ts";
import { toLanguage } from "#contract/languages.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useReturnedFocus } from "../ui/accessibility.ts";
import { ErrorState, toErrorText } from "../ui/errors.tsx";
import { FormSkeleton } from "../ui/states.tsx";
import { useOneAtATime } from "../ui/timing.ts";
import { useRecord } from "../views/form/use-record.ts";
import { Cell } from "../views/kinds/cell.tsx";
import { FileInput } from "../views/kinds/file-input.tsx";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;
const STEP = 1000;

/** `1.4 MB`, as people say it. */
export function formatBytes(bytes: number, lang: string): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit: UNITS[step],
    unitDisplay: "short",
    maximumFractionDigits: step === 2 ? 1 : 0,
  }).format(bytes / STEP ** step);
}

/** Why it was refused: at a field that doesn't take the new file, in that field's words. */
function toRefusal(error: unknown, t: TFunction): string {
  const said = isDataError(error) ? error.fieldErrors.map(({ message }) => message) : [];
  return said.length > 0 ? said.join(" ") : toErrorText(error, t);
}

/** Sends what was confirmed. @returns whether it is done, and the refusal of the last try */
function useReplace(source: RecordSource, record: ModelRecord) {
  const { t } = useTranslation();
  const { open } = useNotification();
  const invalidate = useInvalidate();
  const { mutateAsync, mutation } = useCustomMutation();
  const [refusal, setRefusal] = useState<string>();
  async function send(file: UploadAnswer): Promise<number | undefined> {
    setRefusal(undefined);
    try {
      const { data } = await mutateAsync({
        url: `/api/admin/files/${record.id}/replace/`,
        method: "post",
        values: { file: file.url },
        successNotification: false,
        errorNotification: false,
      });
      const { id } = replaceAnswer.parse(data);
      open?.({
        type: "success",
        message: t("files.replace.done", { name: record.repr }),
        description: t("files.replace.doneBy", { name: file.name }),
      });
      return id;
    } catch (error) {
      setRefusal(toRefusal(error, t));
      return undefined;
    } finally {
      // Behind a failure too: it may have come after the rows were written.
      await invalidate({ resource: source.resource, invalidates: ["resourceAll"] });
    }
  }
  return { send, refusal, isSending: mutation.isPending, forget: () => setRefusal(undefined) };
}

interface FactsProps {
  name: unknown;
  size: unknown;
}

function FileFacts({ name, size }: FactsProps) {
  const lang = toLanguage(useTranslation().i18n.language);
  return (
    <p className="file-facts">
      <strong>{String(name)}</strong>
      {typeof size === "number" && <span>{formatBytes(size, lang)}</span>}
    </p>
  );
}

/** The file as it is, in its last known state where the nightly check found it faulty. */
function OldFile({ source, record }: { source: RecordSource; record: ModelRecord }) {
  const { t } = useTranslation();
  const fieldOf = (name: string) => source.fields.find((field) => field.name === name);
  const [file, fault] = [fieldOf("file"), fieldOf("fault")];
  const isMissing = record.fault === "missing";
  return (
    <section aria-label={t("files.replace.old")}>
      <h2>{t("files.replace.old")}</h2>
      {file && !isMissing && <Cell field={file} value={record.file} isWhole />}
      <FileFacts name={record.repr} size={record.byte_size} />
      {fault && record.fault !== null && record.fault !== undefined && (
        <p className="file-fault">
          {fault.verbose_name}: <Cell field={fault} value={record.fault} />
        </p>
      )}
    </section>
  );
}

/** Each place that uses the file, by its name, and what becomes of it. */
function Uses({ source, record }: { source: RecordSource; record: ModelRecord }) {
  const { t } = useTranslation();
  const field = source.fields.find(({ name }) => name === "used_in");
  const count = Array.isArray(record.used_in) ? record.used_in.length : 0;
  return (
    <>
      <p>{count === 0 ? t("files.replace.noUses") : t("files.replace.uses", { count })}</p>
      {field && count > 0 && (
        <div className="file-swap-uses">
          <Cell field={field} value={record.used_in} isWhole isLinked />
        </div>
      )}
    </>
  );
}

interface NewFileProps {
  source: RecordSource;
  file: UploadAnswer | undefined;
  onChange: (file: UploadAnswer | undefined) => void;
  onBusyChange: (isBusy: boolean) => void;
}

/** Uploads at once; nothing uses it until the replacement is confirmed. */
function NewFile({ source, file, onChange, onBusyChange }: NewFileProps) {
  const { t } = useTranslation();
  const isUploading = useRef(false);
  const field = source.fields.find(({ name }) => name === "file");
  const heading = t("files.replace.new");
  return (
    <section aria-label={heading}>
      <h2>{heading}</h2>
      {field && (
        <FileInput
          field={{ ...field, verbose_name: heading }}
          source={source}
          isUploading={isUploading}
          value={file?.url ?? ""}
          onChange={(address) => address === "" && onChange(undefined)}
          onUploaded={onChange}
          onBusyChange={onBusyChange}
        />
      )}
      {file && <FileFacts name={file.name} size={file.byte_size} />}
    </section>
  );
}

interface ReplaceDialogProps {
  source: RecordSource;
  /** As the list has it. */
  record: ModelRecord;
  /** The record is open: the one of the new file takes its place. */
  isOpened?: boolean;
  onClose: () => void;
}

/** Shows the old file and the new one beside each other, with every place that will show the new one, and replaces it when confirmed. */
export function ReplaceDialog({ source, record: listed, isOpened = false, onClose }: ReplaceDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const { query, record } = useRecord(source, listed.id);
  const [file, setFile] = useState<UploadAnswer>();
  // While another file is on its way, the one that is here is not the one that is wanted.
  const [isUploading, setUploading] = useState(false);
  const { send, refusal, isSending, forget } = useReplace(source, listed);
  useReturnedFocus();
  const isSame = file !== undefined && file.url === record?.file;
  // The very bytes that the storage had lost: the upload has put them back.
  const isMended = isSame && typeof listed.fault === "string";

  async function replace(): Promise<void> {
    const id = file && (await send(file));
    if (id === undefined) return;
    onClose();
    if (isOpened) void navigate({ pathname: source.paths.edit(id), search }, { replace: true, state });
  }
  function choose(next: UploadAnswer | undefined): void {
    forget();
    setFile(next);
  }

  const start = useOneAtATime(replace);
  const isUntouched = file === undefined && !isUploading;
  return (
    <Modal
      open
      width="min(720px, 100%)"
      title={t("files.replace.title", { name: listed.repr })}
      okText={t("files.replace.confirm")}
      okButtonProps={{ danger: true, disabled: !file || isUploading || isSame || !record }}
      confirmLoading={isSending}
      cancelText={t(isMended ? "actions.close" : "actions.cancel")}
      closable={false}
      keyboard={isUntouched}
      maskClosable={isUntouched}
      onOk={start}
      onCancel={onClose}
    >
      {query.isError && !record && (
        <ErrorState title={t("errors.loadObject")} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!record && !query.isError && <FormSkeleton />}
      {record && (
        <>
          <div className="file-swap">
            <OldFile source={source} record={record} />
            <NewFile source={source} file={file} onChange={choose} onBusyChange={setUploading} />
          </div>
          <Uses source={source} record={record} />
        </>
      )}
      <div role="status">
        {isSame && (
          <Alert
            type={isMended ? "success" : "info"}
            showIcon
            message={t(isMended ? "files.replace.mended" : "files.replace.same")}
          />
        )}
      </div>
      {refusal !== undefined && <Alert type="error" showIcon role="alert" message={refusal} />}
    </Modal>
  );
}
