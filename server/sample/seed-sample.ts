import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toFileKey } from "#server/files/service.ts";
import { KINDS } from "#server/models/kinds.ts";
import { toModelKey } from "#server/models/registry/registry.ts";
import { SAMPLE_CONTENT, type SampleSet } from "./content.ts";
import { recordRows } from "./service.ts";
import {
  CV_MODELS,
  FILE_MODEL,
  insertRow,
  lockModels,
  type RowColumns,
  requireModel,
  selectIsEmpty,
} from "./store.ts";

const FOLDER = join(import.meta.dirname, "files");

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** A file of the sample content, as an upload would be stored. */
interface ShippedFile {
  key: string;
  name: string;
  mediaType: string;
  content: Buffer;
}

/** Reads a file of `server/sample/files`. Its key is the one that an upload of the same bytes gets. */
export async function readShippedFile(name: string): Promise<ShippedFile> {
  const content = await readFile(join(FOLDER, name));
  const mediaType = MEDIA_TYPES[extname(name)];
  if (!mediaType) throw new Error(`${name} is of no type that sample content has`);
  return { key: toFileKey(content, mediaType), name, mediaType, content };
}

const CAME = { action: "CREATE", detail: "sample", message: "Came with Foyer as sample content" } as const;

interface Bytes {
  put(key: string, content: Uint8Array): Promise<void>;
}

function getFileColumns({ declaration }: SampleSet): string[] {
  return Object.keys(declaration.fields).filter(
    (name) => KINDS[declaration.fields[name]?.kind ?? ""]?.holdsFile,
  );
}

function getFileNames(set: SampleSet): string[] {
  const columns = getFileColumns(set);
  return set.rows.flatMap((row) => columns.flatMap((column) => row[column] ?? [])).map(String);
}

/** Bytes first: a crash leaves bytes that no row names, and the next start writes the same again. */
async function storeFiles(db: Queryable, bytes: Bytes): Promise<Map<string, ShippedFile>> {
  const files = await Promise.all(SAMPLE_CONTENT.flatMap(getFileNames).map(readShippedFile));
  await Promise.all(files.map(({ key, content }) => bytes.put(key, content)));
  const model = requireModel(FILE_MODEL);
  const stored: RowColumns[] = [];
  for (const { key, name, mediaType, content } of files) {
    const values = { key, name, media_type: mediaType, byte_size: content.byteLength };
    const id = await insertRow(db, model, values, true);
    if (id !== undefined) stored.push({ id, ...values });
  }
  await recordRows(db, SYSTEM_ACTOR, model, CAME, stored);
  return new Map(files.map((file) => [file.name, file]));
}

async function insertSet(
  db: Queryable,
  set: SampleSet,
  files: ReadonlyMap<string, ShippedFile>,
): Promise<number> {
  const model = requireModel(toModelKey(set.declaration));
  const fileColumns = getFileColumns(set);
  const rows: RowColumns[] = [];
  for (const row of set.rows) {
    const named = fileColumns.filter((column) => row[column] !== undefined);
    const keys = named.map((column) => [column, files.get(String(row[column]))?.key]);
    const values = { ...row, ...Object.fromEntries(keys) };
    const id = await insertRow(db, model, values, true);
    if (id === undefined) throw new Error(`a row of the sample content for ${model.key} is there already`);
    rows.push({ id, ...values });
  }
  await recordRows(db, SYSTEM_ACTOR, model, CAME, rows);
  return rows.length;
}

/** Fills an empty CV with the sample content. @returns how many rows and files it put in: none over existing content. */
export async function seedSample(db: Queryable, bytes: Bytes): Promise<{ rows: number; files: number }> {
  await lockModels(db, CV_MODELS);
  if (!(await selectIsEmpty(db, CV_MODELS))) return { rows: 0, files: 0 };
  const files = await storeFiles(db, bytes);
  let rows = 0;
  for (const set of SAMPLE_CONTENT) rows += await insertSet(db, set, files);
  return { rows, files: files.size };
}
