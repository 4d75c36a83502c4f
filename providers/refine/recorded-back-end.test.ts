/** @jest-environment node */

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type BackEnd, createBackEnd } from "#test/recorded-back-end/back-end.ts";
import { type Recording, recording } from "#test/recorded-back-end/recording.ts";
import { type RecordedBackEnd, serveRecording } from "#test/recorded-back-end/serve.ts";
import { toPoorerBackEnd, withAnswer } from "#test/recorded-back-end/variants.ts";
import * as walk from "#test/recorded-back-end/walk.ts";
import { guessPermissions, withinPermissions } from "./permissions.ts";

// A switch of address is enough to use another back end with the same endpoints: the same calls that record.ts made of a
// running site, over its recorded answers at another origin.

const ELSEWHERE = "https://back-end.test";
const RECORDED = recording.parse(
  JSON.parse(readFileSync(`${import.meta.dirname}/../../test/recorded-back-end/recording.json`, "utf8")),
);

let served: RecordedBackEnd;

function open(answers: Recording): BackEnd {
  served = serveRecording(answers, ELSEWHERE);
  return createBackEnd({ baseUrl: ELSEWHERE, fetch: served.fetch, pause: async () => {} });
}

/** Every request was one of the recorded ones; the others are named. */
afterEach(() => expect(served.unknown).toEqual([]));

describe("another back end with Foyer's endpoints", () => {
  let backEnd: BackEnd;
  beforeEach(async () => {
    backEnd = open(RECORDED);
  });

  test("signs in, renews, says what is allowed in one call, signs out", async () => {
    expect(await walk.mistypePassword(backEnd)).toMatchObject({ status: 401, code: "invalid_credentials" });
    const { state, permissions, accessControl } = await walk.signIn(backEnd);
    expect(state?.user.username).toBe("owner");
    expect(permissions.isSuperuser).toBe(true);
    expect(await accessControl.can({ resource: "users", action: "create" })).toEqual({ can: true });
    expect(await accessControl.can({ resource: "models/15/objects", action: "delete" })).toEqual({
      can: false,
    });
    expect(served.asked.filter((call) => call.includes("/permissions/"))).toHaveLength(1);

    expect((await walk.renewTokens(backEnd)).renewed).toMatch(/^access-token-/);
    expect(served.asked).toContain("POST /api/auth/token/refresh/");
    expect(await walk.signOut(backEnd)).toEqual({ check: { authenticated: false }, left: ["/login"] });
  });

  test("shows dashboard, health, audit log, models, people and access levels", async () => {
    await walk.signIn(backEnd);
    const seen = await walk.lookAround(backEnd);
    expect(seen.dashboard.available_models).toHaveLength(6);
    expect(seen.health.overall_status).toBe("healthy");
    expect(seen.actions.data[0]).toMatchObject({ action_type: "LOGIN" });
    expect(seen.models.total).toBe(seen.dashboard.stats.available_models);
    expect(seen.levels.data.map(({ level }) => level)).toEqual(expect.arrayContaining([0, 1, 10, 999]));
    expect(seen.people.data).toEqual([expect.objectContaining({ username: "owner", repr: "owner" })]);
    expect(seen.profile.is_superuser).toBe(true);
    expect(seen.mailStats.data).toMatchObject({ total_sent: 0, complaint_rate: null });
    expect(seen.mails.recent_activity.deliveries).toEqual([]);
  });

  test("makes, changes and deletes a person and an access level", async () => {
    await walk.signIn(backEnd);
    const { made, changed, many, gone } = await walk.managePeople(backEnd);
    expect(made.data).toMatchObject({ username: "recorded_reader", is_active: true });
    expect(changed.data).toMatchObject({ last_name: "Lovelace", repr: "Ada Lovelace" });
    expect(new Set(many.data.map(({ id }) => id))).toEqual(new Set([made.data.id, 1]));
    expect(gone).toMatchObject({ statusCode: 404 });

    const levels = await walk.manageLevels(backEnd);
    expect(levels.changed.data).toMatchObject({ level: 7, repr: "Recorded again (7)" });
    expect(levels.refused.fieldErrors[0]?.field).toBe("level");
  });

  test("refuses a stale write and a stale deletion, and answers history and dependents", async () => {
    await walk.signIn(backEnd);
    const seen = await walk.manageObjects(backEnd, await walk.findLinks(backEnd));
    expect(seen.stale).toMatchObject({ statusCode: 409, code: "stale_write" });
    expect(seen.stale.stale?.current).toMatchObject({ id: seen.id, username: "byron" });
    expect(seen.staleDelete.code).toBe("stale_write");
    expect(seen.list).toMatchObject({ total: 1, isEstimate: false });
    expect(seen.history.entries.map(({ action_type }) => action_type)).toEqual(["UPDATE", "CREATE"]);
    expect(seen.dependents.is_deletable).toBe(true);
  });

  test("pages by cursor through conditions, and counts exactly", async () => {
    await walk.signIn(backEnd);
    const { first, second } = await walk.turnPages(backEnd, await walk.findLinks(backEnd));
    expect(first).toMatchObject({ total: 6000, isEstimate: false });
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });

  test("writes chosen rows in one request, and thousands by a job that can be cancelled", async () => {
    await walk.signIn(backEnd);
    const links = await walk.findLinks(backEnd);
    const { ids, updated, read, deleted, nothing } = await walk.writeMany(backEnd, links);
    expect(updated).toMatchObject({ affected_count: ids.length, refusals: [] });
    expect(new Set(read.data.map(({ id }) => id))).toEqual(new Set(ids));
    expect(deleted).toMatchObject({ affected_count: ids.length, refusals: [] });
    expect(nothing.affected_count).toBe(0);

    const job = await walk.runJob(backEnd, links);
    expect(job.preview).toMatchObject({ is_job: true, count: 6000 });
    expect(job.answer.job?.total_count).toBe(6000);
    expect(job.ended.status).toBe("cancelled");
    expect(job.failures.failures).toEqual([]);
    expect(job.jobs.map(({ id }) => id)).toContain(job.begun.id);
  });

  test("streams an export and says what became of it", async () => {
    await walk.signIn(backEnd);
    const { models } = await walk.lookAround(backEnd);
    const { text, info } = await walk.exportLevels(backEnd, walk.toModels(models.data));
    expect(text).toContain("Superuser");
    expect(info).toMatchObject({ format: "csv", status: "complete" });
  });
});

describe("a back end with the documented endpoints and nothing more", () => {
  let backEnd: BackEnd;
  beforeEach(async () => {
    backEnd = open(toPoorerBackEnd(RECORDED));
  });

  test("without a permissions call, the documented roles decide", async () => {
    const { permissions, accessControl } = await walk.signIn(backEnd);
    expect(permissions.isSuperuser).toBe(true);
    expect(await accessControl.can({ resource: "users", action: "delete" })).toEqual({ can: true });
  });

  test("below superuser nothing can be deleted, and what a model denies stays denied", async () => {
    await walk.signIn(backEnd);
    const { models } = await walk.lookAround(backEnd);
    const staff = guessPermissions({ access_level: 10, profile: { is_superuser: false } });
    const allowed = walk.toModels(models.data).map((model) => withinPermissions(model, staff).permissions);
    expect(allowed).toHaveLength(15);
    for (const permissions of allowed)
      expect(permissions).toEqual({ view: true, create: true, update: true, delete: false });
    const [first] = walk.toModels(models.data);
    const closed = first && { ...first, permissions: { ...first.permissions, create: false } };
    const owner = guessPermissions({ access_level: 999, profile: { is_superuser: true } });
    expect(closed && withinPermissions(closed, owner).permissions).toMatchObject({
      create: false,
      delete: true,
    });
  });

  test("a permissions call that fails is no permission", async () => {
    const failing = { status: 500, headers: {}, body: {} };
    backEnd = open(withAnswer(RECORDED, "/api/admin/permissions/", failing));
    await expect(walk.signIn(backEnd)).rejects.toMatchObject({ status: 500 });
  });

  test("models of the documented shape get columns, controls and operators", async () => {
    await walk.signIn(backEnd);
    const { models } = await walk.lookAround(backEnd);
    const links = await walk.findLinks(backEnd);
    expect(walk.toModels(models.data)).toHaveLength(15);
    expect(links).toMatchObject({
      verbose_name_plural: links.verbose_name,
      order_field: null,
      list_columns: ["network", "url", "username", "position", "is_hidden"],
    });
    const controls = links.fields.map(({ name, control, read_only }) => [name, control, read_only]);
    expect(controls).toEqual(
      expect.arrayContaining([
        ["network", "text", false],
        ["url", "url", false],
        ["is_hidden", "switch", false],
        ["created_at", "datetime", true],
      ]),
    );
  });

  test("people without is_active count as active, pages without an estimate as counted", async () => {
    await walk.signIn(backEnd);
    const { people, dashboard, health } = await walk.lookAround(backEnd);
    expect(people).toMatchObject({ isEstimate: false, data: [{ is_active: true, last_login: null }] });
    expect(people.cursor).toBeUndefined();
    expect(dashboard).toMatchObject({ activity: [] });
    expect(health).toMatchObject({ history: [], outbox: null });
  });

  test("rows without a name are called by their first text, and versions are nobody's concern", async () => {
    await walk.signIn(backEnd);
    const { ids, read, updated } = await walk.writeMany(backEnd, await walk.findLinks(backEnd));
    expect(new Set(read.data.map(({ repr }) => repr))).toEqual(new Set(["Many 3", "Many 2", "Many 1"]));
    expect(updated.affected_count).toBe(ids.length);
  });

  test("bulk answers without refusals and jobs are read", async () => {
    await walk.signIn(backEnd);
    const { ids, deleted } = await walk.writeMany(backEnd, await walk.findLinks(backEnd));
    expect(deleted).toMatchObject({ affected_count: ids.length, refusals: [], job: null });
  });
});

test("a request that was not recorded is named", async () => {
  const backEnd = open(RECORDED);
  await expect(backEnd.data.getOne({ resource: "users", id: 77 })).rejects.toMatchObject({
    code: "network_error",
  });
  expect(served.unknown.splice(0)).toEqual(["GET /api/users/77/"]);
});
