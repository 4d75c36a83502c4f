import type { AccessLevelInfo, AccessLevelWrite } from "#contract/admin-users.ts";
import { type Language, type LocalizedText, pickText } from "#contract/languages.ts";
import type { ModelRecord, Pagination } from "#contract/models.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Caller } from "../../base/actor.ts";
import type { LevelRow } from "./level-store.ts";

interface Versioned {
  level: AccessLevelInfo;
  etag: string;
}

/** The documented calls on access levels, over the model that every other door shows. */
export interface LevelDoors {
  list(
    query: Record<string, unknown>,
    pageSize: number,
    caller: Caller,
  ): Promise<{ access_levels: AccessLevelInfo[]; pagination: Pagination }>;
  get(id: number, caller: Caller): Promise<Versioned>;
  create(body: AccessLevelWrite, caller: Caller): Promise<Versioned>;
  /** Only what is sent changes; a plain text is that of the caller's language. */
  update(id: number, body: AccessLevelWrite, ifMatch: string | undefined, caller: Caller): Promise<Versioned>;
  delete(id: number, ifMatch: string | undefined, caller: Caller): Promise<void>;
}

const NO_TEXT: LocalizedText = { en: null, tr: null };

function toInfo(record: ModelRecord, lang: Language): AccessLevelInfo {
  // The registry has checked the declaration of the model.
  const level = record as ModelRecord & LevelRow & { created_at: string; updated_at: string };
  const description = level.description ?? NO_TEXT;
  return {
    id: level.id,
    level: level.level,
    name: pickText(level.name, lang),
    description: pickText(description, lang),
    is_core: level.is_core,
    is_active: level.is_active,
    created_at: level.created_at,
    updated_at: level.updated_at,
    translations: { name: level.name, description },
  };
}

/** The texts of a body, put into those that were there. */
function toValues(
  { level, is_active, ...body }: AccessLevelWrite,
  before: Pick<LevelRow, "name" | "description">,
  lang: Language,
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    ...(level !== undefined && { level }),
    ...(is_active !== undefined && { is_active }),
  };
  for (const field of ["name", "description"] as const) {
    const given = body[field];
    if (given === null) values[field] = null;
    if (given === undefined || given === null) continue;
    values[field] = {
      ...(before[field] ?? NO_TEXT),
      ...(typeof given === "string" ? { [lang]: given } : given),
    };
  }
  return values;
}

export function createLevelDoors(parts: { content: ContentService; contentTypeId: number }): LevelDoors {
  const { content, contentTypeId } = parts;
  const toVersioned = ({ record, etag }: { record: ModelRecord; etag: string }, { lang }: Caller) => ({
    level: toInfo(record, lang),
    etag,
  });
  return {
    async list(query, pageSize, caller) {
      const asked = { page_size: String(pageSize), ...query };
      const { objects, pagination } = await content.list(contentTypeId, asked, caller);
      return { access_levels: objects.map((record) => toInfo(record, caller.lang)), pagination };
    },
    async get(id, caller) {
      return toVersioned(await content.get(contentTypeId, id, caller), caller);
    },
    async create(body, caller) {
      const values = toValues(body, { name: NO_TEXT, description: null }, caller.lang);
      return toVersioned(await content.create(contentTypeId, values, caller), caller);
    },
    async update(id, body, ifMatch, caller) {
      const { record, etag } = await content.get(contentTypeId, id, caller);
      // The registry has checked the declaration of the model.
      const values = toValues(body, record as ModelRecord & LevelRow, caller.lang);
      // Texts are put into those that were read just now: nobody may have written between.
      const readAs = body.name === undefined && !body.description ? undefined : etag;
      const options = { mode: "patch", ifMatch: ifMatch ?? readAs } as const;
      return toVersioned(await content.update(contentTypeId, id, values, options, caller), caller);
    },
    delete: (id, ifMatch, caller) => content.delete(contentTypeId, id, { ifMatch }, caller),
  };
}
