import type { DataProvider } from "@refinedev/core";
import { accountProfile } from "#contract/accounts/accounts.ts";
import {
  type BulkRequest,
  bulkAnswer,
  bulkPreview,
  job,
  jobFailuresAnswer,
  jobsAnswer,
} from "#contract/content/bulk.ts";
import { exportInfo } from "#contract/content/exports.ts";
import { type ModelInfo, modelInfo } from "#contract/content/models.ts";
import { dependentsAnswer, historyAnswer } from "#contract/content/objects.ts";
import { dashboardAnswer } from "#contract/dashboard.ts";
import { healthAnswer } from "#contract/health.ts";
import { mailStatsAnswer, recentDeliveries } from "#contract/mail/statistics.ts";
import { getEtag, toDependentsPath } from "#providers/refine/data.ts";
import { type DataError, isDataError } from "#providers/refine/data-error.ts";
import { completeDashboard } from "#providers/refine/endpoints.ts";
import type { BackEnd } from "./back-end.ts";

// What the console does with a back end, step by step. Played once against a running site by record.ts, and again and again
// against the recording by the contract test: both send the same requests, because both run this.

export const OWNER = { username: "owner", password: "recorded-password" };
const PERSON = { username: "recorded_reader", email: "recorded-reader@example.org", first_name: "Ada" };
const FIRST_PAGE = { currentPage: 1, pageSize: 2 };

interface Parser<T> {
  parse(value: unknown): T;
}

/** `custom` is optional in Refine's type; ours has one. */
function call(data: DataProvider, method: "get" | "post", url: string, payload?: object) {
  if (!data.custom) throw new Error("the data provider has no custom calls");
  return data.custom({ url, method, ...(payload && { payload }) });
}

async function ask<T>(backEnd: BackEnd, schema: Parser<T>, url: string, payload?: object): Promise<T> {
  const { data } = await call(backEnd.data, payload ? "post" : "get", url, payload);
  return schema.parse(data);
}

async function refusalOf(run: Promise<unknown>): Promise<DataError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isDataError(error)) throw new Error("the call was not refused with a DataError", { cause: error });
  return error;
}

/** What a mistyped password gets. */
export async function mistypePassword({ auth }: BackEnd) {
  return Promise.resolve(auth.login({ ...OWNER, password: "mistyped" })).catch((error: unknown) => error);
}

/** What happens while an access token runs out. */
export async function renewTokens({ session }: BackEnd) {
  const token = await session.getAccessToken();
  return { token, renewed: token && (await session.renewAccessToken(token)) };
}

/** Signs in, confirms it, and asks what the person may do. */
export async function signIn(backEnd: BackEnd, { password } = OWNER) {
  await backEnd.auth.login({ username: OWNER.username, password });
  const state = await backEnd.session.restore();
  return { state, ...(await backEnd.openAccess()) };
}

export async function signOut({ auth, left }: BackEnd) {
  await auth.logout({});
  return { check: await auth.check(), left };
}

/** The screens that only show. */
export async function lookAround(backEnd: BackEnd) {
  const { data } = backEnd;
  return {
    dashboard: dashboardAnswer.parse(
      completeDashboard((await call(backEnd.data, "get", "/api/admin/dashboard/")).data),
    ),
    profile: await ask(backEnd, accountProfile, "/api/users/profile/"),
    health: await ask(backEnd, healthAnswer, "/api/health/"),
    mailStats: await ask(backEnd, mailStatsAnswer, "/api/mail/stats/?days=30"),
    mails: await ask(backEnd, recentDeliveries, "/api/mail/dashboard/"),
    actions: await data.getList({
      resource: "actions",
      pagination: FIRST_PAGE,
      filters: [{ field: "action_type", operator: "eq", value: "LOGIN" }],
    }),
    models: await data.getList({ resource: "models", pagination: { mode: "off" } }),
    levels: await data.getList({ resource: "access-levels", pagination: { currentPage: 1, pageSize: 20 } }),
    people: await data.getList({
      resource: "users",
      pagination: FIRST_PAGE,
      filters: [{ field: "is_staff", operator: "eq", value: true }],
      meta: { search: "owner" },
    }),
  };
}

/** A few rows by their ids, in the list's order. */
const readMany = (data: DataProvider, resource: string, ids: readonly number[]) =>
  data.getList({
    resource,
    pagination: { currentPage: 1, pageSize: ids.length },
    filters: [{ field: "id", operator: "in", value: ids }],
  });

/** A person, from Add User to deletion. */
export async function managePeople({ data }: BackEnd) {
  const made = await data.create({ resource: "users", variables: PERSON });
  const id = Number(made.data.id);
  const read = await data.getOne({ resource: "users", id });
  const changed = await data.update({
    resource: "users",
    id,
    variables: { last_name: "Lovelace" },
    meta: { ifMatch: getEtag(read) },
  });
  const many = await readMany(data, "users", [id, 1]);
  await data.deleteOne({ resource: "users", id, meta: { ifMatch: getEtag(changed) } });
  const gone = await refusalOf(data.getOne({ resource: "users", id }));
  return { made, changed, many, gone };
}

export async function manageLevels({ data }: BackEnd) {
  const resource = "access-levels";
  const variables = { level: 7, name: "Recorded", description: "For the recording", is_active: true };
  const made = await data.create({ resource, variables });
  const id = Number(made.data.id);
  const changed = await data.update({ resource, id, variables: { ...variables, name: "Recorded again" } });
  await data.deleteOne({ resource, id });
  const refused = await refusalOf(data.create({ resource, variables: { ...variables, level: -1 } }));
  return { made, changed, refused };
}

export const toModels = (rows: readonly unknown[]): ModelInfo[] => rows.map((row) => modelInfo.parse(row));

/** The links of the CV: a model with plain texts, of which a full site has many. */
export async function findLinks({ data }: BackEnd): Promise<ModelInfo> {
  const { data: models } = await data.getList({ resource: "models", pagination: { mode: "off" } });
  const links = models.find(({ model_name }) => model_name === "link");
  return modelInfo.parse(links);
}

/** One object, from creation to deletion, with somebody else's change in between. */
export async function manageObjects(backEnd: BackEnd, { content_type_id }: ModelInfo) {
  const { data } = backEnd;
  const resource = `models/${content_type_id}/objects`;
  const made = await data.create({ resource, variables: { network: "Recorded", username: "ada" } });
  const id = Number(made.data.id);
  const ifMatch = getEtag(await data.getOne({ resource, id }));
  const changed = await data.update({ resource, id, variables: { username: "byron" }, meta: { ifMatch } });
  const stale = await refusalOf(
    data.update({ resource, id, variables: { username: "late" }, meta: { ifMatch } }),
  );
  const staleDelete = await refusalOf(data.deleteOne({ resource, id, meta: { ifMatch } }));
  const list = await data.getList({
    resource,
    pagination: FIRST_PAGE,
    filters: [{ field: "network", operator: "eq", value: "Recorded" }],
    sorters: [{ field: "network", order: "desc" }],
  });
  const history = await ask(backEnd, historyAnswer, `/api/admin/${resource}/${id}/history/`);
  const dependents = await ask(backEnd, dependentsAnswer, toDependentsPath(resource, id));
  await data.deleteOne({ resource, id, meta: { ifMatch: getEtag(changed) } });
  return { id, made, changed, stale, staleDelete, list, history, dependents };
}

/** Pages by cursor, conditions of any depth and counted totals: what Foyer's lists have beyond the documented ones. */
export async function turnPages({ data }: BackEnd, { content_type_id }: ModelInfo) {
  const resource = `models/${content_type_id}/objects`;
  const meta = { count: "exact", where: { field: "network", operator: "contains", value: "bulk" } };
  const first = await data.getList({ resource, pagination: FIRST_PAGE, meta });
  const cursor = first.cursor?.next;
  const second = await data.getList({ resource, pagination: FIRST_PAGE, meta: { ...meta, cursor } });
  return { first, second };
}

/** Some chosen rows: changed and deleted in one request each. */
export async function writeMany(backEnd: BackEnd, { content_type_id }: ModelInfo) {
  const { data } = backEnd;
  const resource = `models/${content_type_id}/objects`;
  const ids: number[] = [];
  for (const network of ["Many 1", "Many 2", "Many 3"]) {
    ids.push(Number((await data.create({ resource, variables: { network } })).data.id));
  }
  const write = (part: Pick<BulkRequest, "operation" | "data">) =>
    ask(backEnd, bulkAnswer, `/api/admin/${resource}/bulk/`, { ...part, object_ids: ids });
  const updated = await write({ operation: "update", data: { username: "many" } });
  const read = await readMany(data, resource, [...ids].reverse());
  const deleted = await write({ operation: "delete", data: {} });
  const nothing = await write({ operation: "delete", data: {} });
  return { ids, updated, read, deleted, nothing };
}

const JOB: Omit<BulkRequest, "exclude_ids"> = {
  operation: "update",
  query: { search: "", filters: [{ field: "network", operator: "contains", value: "bulk" }], where: null },
  data: { username: "job" },
};

/** Thousands of rows by query: the preview, the job, its end. */
export async function runJob(backEnd: BackEnd, { content_type_id }: ModelInfo) {
  const objects = `/api/admin/models/${content_type_id}/objects`;
  const preview = await ask(backEnd, bulkPreview, `${objects}/bulk/preview/`, JOB);
  const { snapshot } = preview;
  const answer = await ask(backEnd, bulkAnswer, `${objects}/bulk/`, { ...JOB, snapshot });
  const id = answer.job?.id ?? "";
  const begun = await ask(backEnd, job, `/api/admin/jobs/${id}/`);
  let ended = await ask(backEnd, job, `/api/admin/jobs/${id}/cancel/`, {});
  while (["queued", "running", "cancelling"].includes(ended.status)) {
    await backEnd.pause(300);
    ended = await ask(backEnd, job, `/api/admin/jobs/${id}/`);
  }
  const failures = await ask(backEnd, jobFailuresAnswer, `/api/admin/jobs/${id}/failures/`);
  const { jobs } = await ask(backEnd, jobsAnswer, "/api/admin/jobs/");
  return { preview, answer, begun, ended, failures, jobs };
}

/** The site's people as a file, and what the site says of that file. */
export async function exportLevels(backEnd: BackEnd, models: readonly ModelInfo[]) {
  const level = models.find(({ model_name }) => model_name === "access_level");
  const path = `/api/admin/models/${level?.content_type_id}/objects/export/?format=csv`;
  const response = await backEnd.http.requestRaw(path);
  const text = await response.text();
  const id = response.headers.get("X-Export-Id");
  return { text, info: id === null ? null : await ask(backEnd, exportInfo, `/api/admin/exports/${id}/`) };
}
