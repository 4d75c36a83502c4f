import type { RecordWriter } from "#server/models/record-writer.ts";
import { REPORT_MODEL, RESTRICTION_MODEL, ROOM_MODEL } from "./parts.ts";
import { createReportWriter } from "./people/report-writer.ts";
import { createRestrictionWriter } from "./people/restriction-writer.ts";
import { createRoomWriter } from "./rooms/room-writer.ts";

/** Who writes the models of voice rooms, by their keys: the engine of content asks them, and no other rules hold at any door. */
export function createVoiceWriters(parts: {
  /** The site mixes sound, so that rooms may be larger than a mesh. */
  hasMixer: boolean;
  now: () => Date;
}): ReadonlyMap<string, RecordWriter> {
  return new Map([
    [ROOM_MODEL, createRoomWriter(parts)],
    [RESTRICTION_MODEL, createRestrictionWriter()],
    [REPORT_MODEL, createReportWriter()],
  ]);
}
