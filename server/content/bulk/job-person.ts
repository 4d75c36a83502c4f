import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed } from "../records/access.ts";
import { toBatchId } from "./batch-id.ts";
import type { JobRow } from "./job-store.ts";

/** Accounts' answer on who began a job, as they are now; undefined: the account is gone. */
export type FindPerson = (
  db: Queryable,
  userId: number,
) => Promise<{ username: string; level: number; isActive: boolean } | undefined>;

/** Why a job can't go on: a reason of `bulk` in `locales/`. */
export class JobStop extends Error {
  override name = "JobStop";
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Who does a job's next step, and with what. Asked before each: a person may have been suspended or demoted meanwhile.
 * @throws JobStop where they may not go on.
 */
export async function requirePerson(
  db: Queryable,
  job: JobRow,
  parts: { registry: Registry; findPerson: FindPerson },
): Promise<{ actor: Actor; model: Model }> {
  const person = job.user_id === null ? undefined : await parts.findPerson(db, job.user_id);
  if (!person) throw new JobStop("account_gone");
  if (!person.isActive) throw new JobStop("account_suspended");
  const model = parts.registry.byContentTypeId.get(job.content_type_id);
  if (!model) throw new JobStop("model_not_found");
  if (!isAllowed(model, "view", person.level) || !isAllowed(model, job.operation, person.level))
    throw new JobStop("level_too_low");
  const actor: Actor = {
    userId: job.user_id,
    username: person.username,
    level: person.level,
    ipAddress: job.ip_address,
    requestId: job.request_id,
    batchId: toBatchId(job.id),
  };
  return { actor, model };
}
