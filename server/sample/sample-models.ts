import { getTableName } from "drizzle-orm";
import { SAMPLE_MODELS } from "#contract/sample.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { toModelKey } from "#server/models/registry/registry.ts";
import { quoteName } from "../db/sql.ts";

/** What the store has to know of a declared model. */
export interface SampleModel {
  key: string;
  declaration: ModelDeclaration;
  /** Quoted. */
  table: string;
  /** The column that moves when somebody edits a row; of a file, which nobody edits, the moment of its upload. */
  version: "updated_at" | "created_at";
}

function toSampleModel(declaration: ModelDeclaration): SampleModel {
  return {
    key: toModelKey(declaration),
    declaration,
    table: quoteName(getTableName(declaration.table)),
    version: "updated_at" in declaration.table ? "updated_at" : "created_at",
  };
}

const MODELS = new Map(DECLARED.map((declaration) => [toModelKey(declaration), toSampleModel(declaration)]));

/** Those of the named models that are declared, in the order of the names. */
export function findModels(keys: readonly string[]): SampleModel[] {
  return keys.map((key) => MODELS.get(key)).filter((model) => model !== undefined);
}

export function requireModel(key: string): SampleModel {
  const model = MODELS.get(key);
  if (!model) throw new Error(`${key} is not declared`);
  return model;
}

/** Tables whose rows people write: what may name a stored file. */
export const WRITTEN_TABLES: readonly string[] = [...MODELS.values()]
  .filter(({ declaration }) => declaration.access.update !== null)
  .map(({ table }) => table);

export const FILE_MODEL = "files.stored_file";

/** Models that sample content has rows of. */
export const CV_MODELS = SAMPLE_MODELS;
