import type pg from "pg";
import type { SampleAnswer, SampleRemoval } from "#contract/sample.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { Caller } from "../base/actor.ts";
import { CV_MODELS, findModels } from "./sample-models.ts";
import { removeSample } from "./service.ts";
import { selectSampleCounts } from "./store.ts";

interface SampleParts {
  pool: pg.Pool;
  storage: { delete(key: string): Promise<void> };
  registry: Pick<Registry, "byKey">;
  feed: Pick<ChangeFeed, "announce">;
  log: { warn(details: object, message: string): void };
}

/** The sample content as the console shows and removes it. */
export interface SampleConsole {
  read(caller: Caller): Promise<SampleAnswer>;
  remove(caller: Caller): Promise<SampleRemoval>;
}

/** A removal is a deletion of rows of every model: who may not delete one of them may not begin. */
function requireMayRemove({ actor }: Caller): void {
  const isAllowed = findModels(CV_MODELS).every(
    ({ declaration: { access } }) => access.delete !== null && actor.level >= access.delete,
  );
  if (!isAllowed) throw new AppError("permission_denied");
}

export function createSampleConsole({ pool, storage, registry, feed, log }: SampleParts): SampleConsole {
  const getContentTypeId = (key: string) => registry.byKey.get(key)?.contentTypeId ?? null;

  // The rows are gone by then: bytes that stay behind take room, and no page names them.
  const patientStorage = {
    delete: (key: string) =>
      storage
        .delete(key)
        .catch((error: unknown) =>
          log.warn({ err: error }, "a file of the sample content could not be deleted"),
        ),
  };

  return {
    async read(caller) {
      requireMayRemove(caller);
      const counts = await selectSampleCounts(pool, CV_MODELS);
      const models = findModels(CV_MODELS).map(({ key, declaration }) => ({
        content_type_id: getContentTypeId(key),
        verbose_name: declaration.pluralLabels[caller.lang],
        untouched_count: counts.get(key)?.untouched ?? 0,
        edited_count: counts.get(key)?.edited ?? 0,
      }));
      return { models: models.filter((model) => model.untouched_count + model.edited_count > 0) };
    },

    async remove(caller) {
      requireMayRemove(caller);
      const outcomes = await removeSample(pool, patientStorage, caller.actor, caller.lang);
      // Pages of this process are drawn anew from here on; other processes hear the notices.
      for (const { key, removed } of outcomes) if (removed.length > 0) feed.announce(key);
      const told = outcomes.filter(({ removed, kept }) => removed.length + kept.length > 0);
      return {
        models: told.map(({ key, label, removed, kept }) => ({
          content_type_id: getContentTypeId(key),
          verbose_name: label,
          removed_count: removed.length,
          kept: kept.map(({ id, title }) => ({ id, repr: title })),
        })),
      };
    },
  };
}
