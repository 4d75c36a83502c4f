import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "#contract/limits.ts";
import type { FieldInfo } from "#contract/models.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { useServices } from "../../services.ts";
import { holdUnsaved } from "../../unsaved.ts";

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
  onUploaded: (file: { url: string; name: string }) => void;
}

/** A type that the field doesn't take; a browser that knows no type leaves the judgement to the server. */
function isRefusedType({ accept }: FieldInfo, { type, name }: File): boolean {
  if (accept.length === 0 || type === "") return false;
  return !accept.some(
    (accepted) =>
      accepted === type ||
      (accepted.endsWith("/*") && type.startsWith(accepted.slice(0, -1))) ||
      (accepted.startsWith(".") && name.toLowerCase().endsWith(accepted)),
  );
}

/** Uploads one file at a time for a field. What fails leaves the value as it was. */
export function useUpload({ model, field, isUploading, onUploaded }: UploadOptions) {
  const { t } = useTranslation();
  const { upload } = useServices();
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  // A file on its way is something that leaving would lose.
  useEffect(() => holdUnsaved(() => isUploading.current), [isUploading]);

  function findFault(file: File): string | undefined {
    if (isRefusedType(field, file)) return t("form.fileType", { types: field.accept.join(", ") });
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
