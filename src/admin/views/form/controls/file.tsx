import { DeleteOutlined, FileOutlined, UploadOutlined } from "@ant-design/icons";
import { Button, Progress } from "antd";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "#contract/limits.ts";
import { DECORATIVE } from "../../../parts/decorative.ts";
import { toErrorText } from "../../../parts/error-text.ts";
import { useServices } from "../../../services.ts";
import { fileName, isImageAddress } from "../../cell-value.ts";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";

const MEBIBYTE = 1024 * 1024;

interface FileInputProps extends ControlProps {
  /** Given by the form item: the input's id, the file's address or "", and how to change it. */
  id?: string;
  value?: string;
  onChange?: (address: string) => void;
}

type UploadState =
  | { kind: "idle" }
  | { kind: "uploading"; part: number }
  | { kind: "failed"; message: string };

function useUpload({ field, model, onChange }: FileInputProps) {
  const { t } = useTranslation();
  const { upload } = useServices();
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(file: File): Promise<void> {
    if (file.size > LIMITS.uploadMaxBytes) {
      setState({
        kind: "failed",
        message: t("form.fileTooLarge", { count: LIMITS.uploadMaxBytes / MEBIBYTE }),
      });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "uploading", part: 0 });
    try {
      const answer = await upload(
        { model: model.content_type_id, field: field.name, file },
        { onProgress: (part) => setState({ kind: "uploading", part }), signal: controller.signal },
      );
      onChange?.(answer.url);
      setState({ kind: "idle" });
    } catch (error) {
      if (controller.signal.aborted) setState({ kind: "idle" });
      else setState({ kind: "failed", message: toErrorText(error, t) });
    }
  }
  return { state, start, cancel: () => running.current?.abort() };
}

function FilePreview({ address }: { address: string }) {
  const { t } = useTranslation();
  const name = fileName(address);
  return (
    <a className="file-preview" href={address} target="_blank" rel="noreferrer">
      {isImageAddress(address) ? (
        <img src={address} alt={t("cell.picture", { name })} />
      ) : (
        <>
          <FileOutlined {...DECORATIVE} /> {name}
        </>
      )}
    </a>
  );
}

/** Uploads at once and holds the file's address; the record changes when the form is saved. */
function FileInput(props: FileInputProps) {
  const { field, id, value = "", onChange } = props;
  const { t } = useTranslation();
  const { state, start, cancel } = useUpload(props);
  const input = useRef<HTMLInputElement>(null);
  const action = value === "" ? t("form.chooseFile") : t("form.replaceFile");

  function onChoose(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0];
    // Choosing the same file again must be a change again.
    event.target.value = "";
    if (file) void start(file);
  }

  return (
    <div className="file-control">
      {value !== "" && <FilePreview address={value} />}
      <input ref={input} id={id} type="file" hidden accept={field.accept.join(",")} onChange={onChoose} />
      {state.kind === "uploading" ? (
        <div className="file-actions">
          <Progress percent={Math.round(state.part * 100)} aria-label={t("form.uploading")} />
          <Button onClick={cancel}>{t("actions.cancel")}</Button>
        </div>
      ) : (
        <div className="file-actions">
          <Button
            icon={<UploadOutlined {...DECORATIVE} />}
            aria-label={`${action}: ${field.verbose_name}`}
            onClick={() => input.current?.click()}
          >
            {action}
          </Button>
          {value !== "" && (
            <Button
              icon={<DeleteOutlined {...DECORATIVE} />}
              aria-label={`${t("form.removeFile")}: ${field.verbose_name}`}
              onClick={() => onChange?.("")}
            >
              {t("form.removeFile")}
            </Button>
          )}
        </div>
      )}
      {state.kind === "failed" && (
        <p className="control-error" role="alert">
          {state.message}
        </p>
      )}
    </div>
  );
}

function FileControl({ field, model }: ControlProps) {
  return (
    <FieldItem field={field}>
      <FileInput field={field} model={model} />
    </FieldItem>
  );
}

export const file: ControlDefinition = {
  Control: FileControl,
  toInput: (value) => (typeof value === "string" ? value : ""),
  toWire: (input) => (input === "" ? null : input),
};
