import { DeleteOutlined, FileOutlined, UploadOutlined } from "@ant-design/icons";
import { Button, Progress } from "antd";
import type { TFunction } from "i18next";
import { type ChangeEvent, type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { findForeignFormat, nameFormats } from "#contract/content/file-formats.ts";
import type { FieldInfo } from "#contract/content/models.ts";
import type { UploadAnswer } from "#contract/content/objects.ts";
import { type Language, toLanguage } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { toBackEndAddress } from "#providers/http/http.ts";
import { useServices } from "../../services.ts";
import { holdUnsaved } from "../../session/unsaved.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
import type { ControlProps } from "./kind.tsx";

/** The server stores files under the hash of what is in them, which says nothing to people. */
const HASHED_NAME = /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/;

const IMAGE_ENDING = /\.(png|jpe?g|webp|gif|avif|svg)$/i;

/** The last part of a file's address. */
function fileName(address: string): string {
  return address.split(/[/?#]/).findLast((part) => part !== "") ?? address;
}

/** `pdf` of a file's address; "" where it has none. */
export function fileEnding(address: string): string {
  return /\.([^.]+)$/.exec(fileName(address))?.[1] ?? "";
}

/** As people named the file; "" for the name that storing gave it. */
export function givenName(address: string): string {
  const name = fileName(address);
  return HASHED_NAME.test(name) ? "" : name;
}

export function isImageAddress(address: string): boolean {
  return IMAGE_ENDING.test(address.split(/[?#]/)[0] ?? "");
}

const MEBIBYTE = 1024 * 1024;

export type UploadState =
  | { kind: "idle" }
  | { kind: "uploading"; part: number }
  | { kind: "failed"; message: string };

interface UploadOptions {
  /** `content_type_id` of the model. */
  model: number;
  field: FieldInfo;
  /** Whether a file is on its way; the form's rule reads it. */
  isUploading: RefObject<boolean>;
  onUploaded: (file: UploadAnswer) => void;
}

/** A type that the field doesn't take; where the browser knows none, by the name's ending, and else the server judges. */
function isRefusedType({ accept }: FieldInfo, { type, name }: File): boolean {
  if (accept.length === 0) return false;
  if (type === "") return findForeignFormat({ name }) !== undefined;
  return !accept.some(
    (accepted) =>
      accepted === type ||
      (accepted.endsWith("/*") && type.startsWith(accepted.slice(0, -1))) ||
      (accepted.startsWith(".") && name.toLowerCase().endsWith(accepted)),
  );
}

/** Why a file isn't taken, and what would be, in words. */
function toTypeFault(file: File, accept: readonly string[], t: TFunction, lang: Language): string {
  const format = findForeignFormat(file);
  if (format === "HEIC") return t("form.fileHeic");
  const types = nameFormats(accept, lang);
  return format === undefined ? t("form.fileType", { types }) : t("form.fileForeign", { format, types });
}

/** Uploads one file at a time for a field. What fails leaves the value as it was. */
export function useUpload({ model, field, isUploading, onUploaded }: UploadOptions) {
  const { t, i18n } = useTranslation();
  const { upload } = useServices();
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  // A file on its way is something that leaving would lose.
  useEffect(() => holdUnsaved(() => isUploading.current), [isUploading]);

  function findFault(file: File): string | undefined {
    if (isRefusedType(field, file)) return toTypeFault(file, field.accept, t, toLanguage(i18n.language));
    const count = LIMITS.uploadMaxBytes / MEBIBYTE;
    return file.size > LIMITS.uploadMaxBytes ? t("form.fileTooLarge", { count }) : undefined;
  }

  /** A file that gave way to another one has nothing more to say. */
  function settle(controller: AbortController, next: UploadState): void {
    if (running.current !== controller) return;
    isUploading.current = false;
    setState(next);
  }

  async function start(file: File): Promise<void> {
    const fault = findFault(file);
    if (fault !== undefined) return setState({ kind: "failed", message: fault });
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    isUploading.current = true;
    setState({ kind: "uploading", part: 0 });
    const { signal } = controller;
    const onProgress = (part: number) => !signal.aborted && setState({ kind: "uploading", part });
    try {
      const uploaded = await upload({ model, field: field.name, file }, { onProgress, signal });
      // Cancelled, or followed by another file, at the last moment.
      if (!signal.aborted) onUploaded(uploaded);
      settle(controller, { kind: "idle" });
    } catch (error) {
      const failed = { kind: "failed", message: toErrorText(error, t) } as const;
      settle(controller, signal.aborted ? { kind: "idle" } : failed);
    }
  }
  return { state, start, cancel: () => running.current?.abort() };
}

/** Takes the first of the files that are dropped; anything else that is dragged passes. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      },
      onDrop(event: DragEvent) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      },
    },
  };
}

interface FileInputProps extends ControlProps {
  isUploading: RefObject<boolean>;
  /** Given by the form item: the input's id, the file's address or "", and how to change it. */
  id?: string;
  value?: string;
  onChange?: (address: string) => void;
  /** What was stored, after `onChange`. */
  onUploaded?: (file: UploadAnswer) => void;
  /** Whether a file is on its way, whenever that changes. */
  onBusyChange?: (isBusy: boolean) => void;
  "aria-describedby"?: string;
}

function FilePreview({ address, name }: { address: string; name: string }) {
  const { t } = useTranslation();
  return (
    <a className="file-preview" href={toBackEndAddress(address)} target="_blank" rel="noreferrer">
      {isImageAddress(address) ? (
        <img src={toBackEndAddress(address)} alt={t("cell.picture", { name })} />
      ) : (
        <>
          <FileOutlined {...DECORATIVE} /> {name}
        </>
      )}
    </a>
  );
}

interface FileButtonsProps {
  /** Of the button that chooses: the label names it, and a faulty field gives it the focus. */
  id: string | undefined;
  describedBy: string | undefined;
  label: string;
  hasFile: boolean;
  onChoose: () => void;
  onRemove: () => void;
}

function FileButtons({ id, describedBy, label, hasFile, onChoose, onRemove }: FileButtonsProps) {
  const { t } = useTranslation();
  const action = t(hasFile ? "form.replaceFile" : "form.chooseFile");
  return (
    <div className="file-actions">
      <Button
        id={id}
        icon={<UploadOutlined {...DECORATIVE} />}
        aria-label={`${action}: ${label}`}
        aria-describedby={describedBy}
        onClick={onChoose}
      >
        {action}
      </Button>
      {hasFile && (
        <Button
          icon={<DeleteOutlined {...DECORATIVE} />}
          aria-label={`${t("form.removeFile")}: ${label}`}
          onClick={onRemove}
        >
          {t("form.removeFile")}
        </Button>
      )}
      <span className="file-hint">{t("form.dropFile")}</span>
    </div>
  );
}

/** The button that was pressed gives way to another one; the focus goes to the first that stands there now. */
function useFocusInPlace(key: string) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (shown.current !== key && isLost) place.current?.querySelector("button")?.focus();
    shown.current = key;
  }, [key]);
  return place;
}

/** Uploads at once and holds the file's address; the record changes when the form is saved. */
export function FileInput({ field, source, isUploading, id, value = "", ...rest }: FileInputProps) {
  const { onChange, onUploaded, onBusyChange, ...aria } = rest;
  const { t } = useTranslation();
  /** Stored files are named by their content; the name that people gave is known until the form goes. */
  const [given, setGiven] = useState({ url: "", name: "" });
  const { state, start, cancel } = useUpload({
    model: source.content_type_id,
    field,
    isUploading,
    onUploaded(file) {
      setGiven(file);
      onChange?.(file.url);
      onUploaded?.(file);
    },
  });
  const isBusy = state.kind === "uploading";
  useEffect(() => onBusyChange?.(isBusy), [isBusy, onBusyChange]);
  const input = useRef<HTMLInputElement>(null);
  const place = useFocusInPlace(`${state.kind} ${value}`);
  const { isOver, handlers } = useFileDrop((file) => void start(file));

  function onChoose(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0];
    // Choosing the same file again must be a change again.
    event.target.value = "";
    if (file) void start(file);
  }

  return (
    <div ref={place} className="file-control" data-over={isOver} {...handlers}>
      {value !== "" && (
        <FilePreview
          address={value}
          name={value === given.url ? given.name : t("cell.file", { kind: fileEnding(value).toUpperCase() })}
        />
      )}
      <input ref={input} type="file" hidden accept={field.accept.join(",")} onChange={onChoose} />
      {isBusy ? (
        <div className="file-actions">
          <Progress percent={Math.round(state.part * 100)} aria-label={t("form.uploading")} />
          <Button onClick={cancel}>{t("actions.cancel")}</Button>
        </div>
      ) : (
        <FileButtons
          id={id}
          describedBy={aria["aria-describedby"]}
          label={field.verbose_name}
          hasFile={value !== ""}
          onChoose={() => input.current?.click()}
          onRemove={() => onChange?.("")}
        />
      )}
      <span className="visually-hidden" role="status">
        {value !== "" && value === given.url && t("form.uploaded", { name: given.name })}
      </span>
      {state.kind === "failed" && (
        <p className="control-error" role="alert">
          {state.message}
        </p>
      )}
    </div>
  );
}
