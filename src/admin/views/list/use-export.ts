import { useNotification } from "@refinedev/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { buildExportPath } from "#providers/data.ts";
import type { ListQuery } from "#providers/list-query.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { readStream, saveFile } from "../../../ui/save-file.ts";
import { toErrorText } from "../../parts/error-text.ts";
import { useServices } from "../../services.ts";
import { exportName } from "./download.ts";

export type ExportState = { kind: "idle" } | { kind: "running"; bytes: number };

/**
 * Downloads the rows of a query as the server streams them. (Refine's useExport pages through the list in the browser and
 * never ends when the total is an estimate.)
 */
export function useExport(model: RecordSource, query: ListQuery) {
  const { t } = useTranslation();
  const { download } = useServices();
  const { open } = useNotification();
  const [state, setState] = useState<ExportState>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "running", bytes: 0 });
    try {
      const path = buildExportPath(model.resource, query, "csv");
      const response = await download(path, { signal: controller.signal });
      const blob = await readStream(response, (bytes) => setState({ kind: "running", bytes }));
      saveFile(blob, exportName(model.model_name, new Date(), "csv"));
    } catch (error) {
      if (!controller.signal.aborted) {
        const description = toErrorText(error, t);
        open?.({ key: "export", type: "error", message: t("errors.export"), description });
      }
    }
    setState({ kind: "idle" });
  }

  return { state, start: () => void start(), cancel: () => running.current?.abort() };
}
