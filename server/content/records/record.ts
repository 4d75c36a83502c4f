import type { ModelRecord } from "#contract/models.ts";

/** A record with the name of its version, which `If-Match` takes. */
export interface VersionedRecord {
  record: ModelRecord;
  etag: string;
}
