import * as z from "zod";
import { isBackedUpPath } from "./data-folders.ts";

/** A backup or a restore that can't be done. The message says what is wrong and what to do; it is meant for the terminal. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** Counts up when an older Foyer could not read what a newer one writes: decision 14. */
export const FORMAT_VERSION = 1;
export const MANIFEST_NAME = "manifest.json";

const byteSize = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A moment as PostgreSQL writes the bound of a partition. */
const bound = z.string().regex(/^\d{4}-\d{2}-\d{2} [\d:.]+[+-][\d:]+$/);
/** A number that may be above 2^53. */
const bigNumber = z.string().regex(/^-?\d{1,19}$/);

const table = z.strictObject({
  name: z.string().min(1),
  columns: z.array(z.strictObject({ name: z.string().min(1), type: z.string().min(1) })).min(1),
  row_count: z.int().nonnegative(),
  byte_size: byteSize,
  sha256,
  /** What the next numbers come from, by column. */
  sequences: z.array(z.strictObject({ column: z.string(), last_value: bigNumber, is_called: z.boolean() })),
  /** Of a partitioned table: its parts but the default one. */
  partitions: z.array(z.strictObject({ name: z.string(), from: bound, to: bound })),
});

const file = z.strictObject({ path: z.string().refine(isBackedUpPath), byte_size: byteSize, sha256 });

const manifest = z.strictObject({
  format_version: z.literal(FORMAT_VERSION),
  app_version: z.string(),
  postgres_version: z.string(),
  created_at: z.iso.datetime(),
  /** What the tables were built from, oldest first. */
  migrations: z.array(z.strictObject({ when: z.int(), name: z.string(), hash: z.string() })).min(1),
  tables: z.array(table),
  files: z.array(file),
});

/** What a backup holds, with what is needed to check every byte of it. */
export type Manifest = z.infer<typeof manifest>;
export type ManifestTable = z.infer<typeof table>;
export type ManifestFile = z.infer<typeof file>;

/** Where the rows of a table are in the archive. */
export function toRowsName(table: string): string {
  return `tables/${table}.tsv`;
}

/** Where a file of the data folder is in the archive. */
export function toFileName(path: string): string {
  return `data/${path}`;
}

/** @throws BackupError when the text is no manifest, or one that only a newer Foyer reads. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BackupError("The backup's manifest is no JSON: the file is damaged.", { cause: error });
  }
  const version = z.object({ format_version: z.int(), app_version: z.string() }).safeParse(value);
  if (version.success && version.data.format_version > FORMAT_VERSION) {
    throw new BackupError(
      `The backup was written by Foyer ${version.data.app_version} in a newer format. Restore it with that version or a newer one.`,
    );
  }
  const parsed = manifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(
    `The backup's manifest is damaged: ${issue?.path.join(".") || "manifest"}: ${issue?.message ?? ""}`,
  );
}
