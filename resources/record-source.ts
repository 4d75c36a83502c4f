import type { ModelInfo, QueryFilter } from "#contract/models.ts";
import { objectPaths, objectsResource, objectsTopic } from "./objects.ts";

/** A choice above a list that stands for filters: `Active` is `is_staff` exact `true`. Texts are keys of the locale files. */
export interface QuickFilter {
  labelKey: string;
  options: readonly { labelKey: string; filters: readonly QueryFilter[] }[];
}

/** Addresses of the screens of one kind of records, without a query. */
export interface RecordPaths {
  list: string;
  create: string;
  edit: (id: number) => string;
  /** Of the bulk page; null where there is none, and then rows can't be selected. */
  bulk: string | null;
}

/**
 * A kind of records as the generic views see it: what its model says of itself, and where its rows come from. Content models
 * are one by `toRecordSource`; users, access levels and the audit log describe themselves the same way.
 */
export interface RecordSource extends ModelInfo {
  /** Refine resource of the rows: each model one of its own, so that caches and invalidation never mix two. */
  resource: string;
  paths: RecordPaths;
  /** Where writes to the rows are told of; null where nothing is. */
  topic: string | null;
  quickFilters: readonly QuickFilter[];
}

/** The objects of a content model. */
export function toRecordSource(model: ModelInfo): RecordSource {
  const id = model.content_type_id;
  return {
    ...model,
    resource: objectsResource(id),
    paths: {
      list: objectPaths.list(id),
      create: objectPaths.create(id),
      edit: (objectId) => objectPaths.edit(id, objectId),
      bulk: objectPaths.bulk(id),
    },
    topic: objectsTopic(model),
    quickFilters: [],
  };
}
