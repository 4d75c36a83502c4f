import { AppError } from "#server/base/errors.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { deleteReport, type ReportState, updateReport } from "./report-store.ts";

/** Writes reports in the console: what staff say of one. The words of a report that goes are not kept by the log. */
export function createReportWriter(): RecordWriter {
  return {
    prepare: async () => undefined,
    async create() {
      throw new AppError("permission_denied");
    },
    async update(db, id, given) {
      const state = given.has("state") ? ((given.get("state") ?? "open") as ReportState) : undefined; // a choice was checked
      const note = given.has("note") ? ((given.get("note") ?? null) as string | null) : undefined; // so was a text
      await updateReport(db, id, { state, note });
      return undefined;
    },
    async delete(db, id) {
      const roomName = await deleteReport(db, id);
      if (roomName === undefined) throw new AppError("object_not_found");
      return { pseudonym: roomName };
    },
    committed: () => undefined,
  };
}
