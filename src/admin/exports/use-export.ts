import { useNotification } from "@refinedev/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ExportBody, type ExportFormat, exportInfo } from "#contract/content/exports.ts";
import { type Language, toLanguage } from "#contract/languages.ts";
import { buildExportPath } from "#providers/refine/data.ts";
import { ADMIN_API } from "#providers/refine/endpoints.ts";
import type { ListQuery } from "#providers/refine/list-query.ts";
import { useServices } from "../services.ts";
import { toLocalDay } from "../ui/days.ts";
import { toErrorText } from "../ui/errors.tsx";
import { createMemorySink, pickDiskSink } from "./file-sink.ts";
import { BrokenExport, type ExportProgress, type ExportResult, runExport } from "./run-export.ts";

/** What a file is to hold of each row, and how. */
export interface ExportChoice {
  format: ExportFormat;
  /** Names of fields in their order; none: all that the reader may see. */
  columns: readonly string[];
  /** Texts that a spreadsheet would calculate stay as they are. */
  keepsFormulas: boolean;
  /** A csv that people open in a spreadsheet, not one for programs. */
  isForSpreadsheets?: boolean;
}

/** A call as `services.download` takes it. */
export interface ExportCall {
  path: string;
  body?: Partial<ExportBody>;
}

/** Every row of a list's query: the documented GET. */
export function toQueryExport(resource: string, query: ListQuery, choice: ExportChoice): ExportCall {
  return { path: buildExportPath(resource, query, choice) };
}

/** `certificate-2026-11-20.csv`, by the reader's own calendar. */
const toExportName = (modelName: string, today: Date, format: ExportFormat): string =>
  `${modelName}-${toLocalDay(today)}.${format}`;

const SIZE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
const SIZE_STEP = 1000;

/** A number of bytes as people read it: `12.4 MB`. */
export function toSizeText(bytes: number, lang: Language): string {
  const power = bytes < SIZE_STEP ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZE_UNITS.length - 1);
  const format = new Intl.NumberFormat(lang, {
    style: "unit",
    unit: SIZE_UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return format.format(bytes / SIZE_STEP ** power);
}

export type ExportState = { kind: "idle" } | ({ kind: "running" } & ExportProgress);

export interface ExportJob extends ExportCall {
  format: ExportFormat;
  modelName: string;
  /** About so many rows; a large file is written to disk as it comes, where the browser can. */
  rowCount: number;
}

/** Files of more rows than these are not kept in memory where that can be avoided. */
const MEMORY_ROWS_MAX = 250_000;
/** Chunks come by the hundred a second. */
const PROGRESS_EVERY_MS = 200;

/** Why a download ends with the screen that began it. */
const HAS_LEFT = "the screen was left";

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: "text/csv",
  json: "application/json",
  ndjson: "application/x-ndjson",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

async function openSink(job: ExportJob) {
  const name = toExportName(job.modelName, new Date(), job.format);
  const disk = job.rowCount > MEMORY_ROWS_MAX ? await pickDiskSink(name) : undefined;
  return disk ?? createMemorySink(name, MEDIA_TYPES[job.format]);
}

/** Says how an export ended: rows and size of what was saved, or why nothing was. */
function useEndNotice() {
  const { t, i18n } = useTranslation();
  const { open } = useNotification();
  const lang = toLanguage(i18n.language);
  return {
    notifyDone({ bytes, rows, isVerified }: ExportResult) {
      const size = toSizeText(bytes, lang);
      const count = rows ?? 0;
      const shown = new Intl.NumberFormat(lang).format(count);
      const message =
        rows === undefined ? t("exports.saved", { size }) : t("exports.savedRows", { count, shown, size });
      const description = isVerified ? t("exports.verified") : undefined;
      open?.({ key: "export", type: "success", message, ...(description && { description }) });
    },
    notifyLeft() {
      open?.({ key: "export", type: "progress", message: t("exports.left") });
    },
    notifyFailed(error: unknown) {
      const description = error instanceof BrokenExport ? t("exports.broken") : toErrorText(error, t);
      open?.({ key: "export", type: "error", message: t("errors.export"), description });
    },
  };
}

/**
 * Downloads rows as the server streams them, and checks the file before it is saved. (Refine's useExport pages through the list
 * in the browser and never ends when the total is an estimate.) `start` answers whether a file was saved.
 */
export function useExport() {
  const { download } = useServices();
  const { notifyDone, notifyLeft, notifyFailed } = useEndNotice();
  const [state, setState] = useState<ExportState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(HAS_LEFT), []);

  async function run(job: ExportJob, signal: AbortSignal): Promise<ExportResult> {
    const sink = await openSink(job);
    let shownAt = 0;
    return runExport({
      format: job.format,
      open: () => download(job.path, { signal, ...(job.body && { body: job.body }) }),
      async getInfo(id) {
        const answer = await download(`${ADMIN_API}/exports/${encodeURIComponent(id)}/`, { signal });
        return exportInfo.parse(JSON.parse(await answer.text()));
      },
      sink,
      onProgress(progress) {
        if (performance.now() - shownAt < PROGRESS_EVERY_MS) return;
        shownAt = performance.now();
        setState({ kind: "running", ...progress });
      },
    });
  }

  async function start(job: ExportJob): Promise<boolean> {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "running", bytes: 0, rows: undefined });
    try {
      notifyDone(await run(job, controller.signal));
      return true;
    } catch (error) {
      const isOwnWish =
        controller.signal.aborted || (error instanceof DOMException && error.name === "AbortError");
      if (controller.signal.reason === HAS_LEFT) notifyLeft();
      else if (!isOwnWish) notifyFailed(error);
      return false;
    } finally {
      running.current = undefined;
      setState({ kind: "idle" });
    }
  }

  return { state, start, cancel: () => running.current?.abort() };
}
