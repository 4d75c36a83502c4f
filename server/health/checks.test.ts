import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import {
  checkCache,
  checkDatabase,
  checkFileStorage,
  checkKeys,
  checkOutbox,
  checkProcesses,
  createReadiness,
  type ProbedStorage,
} from "./checks.ts";
import { runCheck, toFindingText, toWorst } from "./finding.ts";

const ROOMY = { used: 10e9, free: 90e9 };

function createStorage(change: (content: Uint8Array) => Uint8Array = (content) => content) {
  const files = new Map<string, Uint8Array>();
  const storage: ProbedStorage = {
    put: async (key, content) => void files.set(key, change(content)),
    async open(key) {
      const content = files.get(key);
      return content && { stream: Readable.from([Buffer.from(content)]) };
    },
    delete: async (key) => void files.delete(key),
  };
  return { files, storage };
}

function createDatabase(row: object) {
  return { query: async () => ({ rows: [row] }) } as unknown as Parameters<typeof checkDatabase>[0];
}

test.each([
  ["healthy", { is_read_only: false, used: 5, max: 100 }],
  ["warning", { is_read_only: false, used: 90, max: 100 }],
  ["critical", { is_read_only: true, used: 5, max: 100 }],
])("a database is %s with %j", async (status, row) => {
  expect((await checkDatabase(createDatabase(row))).status).toBe(status);
});

test.each([
  ["healthy", ROOMY],
  ["warning", { used: 91e9, free: 9e9 }],
  ["warning", { used: 1e9, free: 0.9e9 }],
  ["critical", { used: 99e9, free: 1e9 }],
  ["critical", { used: 0.1e9, free: 0.19e9 }],
  ["unknown", null],
])("file storage is %s on the disk %j", async (status, disk) => {
  expect((await checkFileStorage(createStorage().storage, disk)).status).toBe(status);
});

test("the probe of the storage leaves nothing behind", async () => {
  const { files, storage } = createStorage();
  await checkFileStorage(storage, ROOMY);
  expect(files.size).toBe(0);
});

test("a store on another machine that is away is critical, and says why", async () => {
  const { storage } = createStorage();
  const vars = { place: "s3://host/site", reason: "Storing a file failed: connect ECONNREFUSED" };
  const put = () => Promise.reject(new AppError("files_unavailable", { vars }));
  const finding = await checkFileStorage({ ...storage, put }, ROOMY);
  expect(finding).toEqual({ status: "critical", reason: "storage_away", vars });
  expect(toFindingText(finding, "en")).toBe(
    "Files lie in s3://host/site, which can't be used: Storing a file failed: connect ECONNREFUSED",
  );
});

test("a storage that gives something else back is critical", async () => {
  const { files, storage } = createStorage(() => Buffer.from("else"));
  expect(await checkFileStorage(storage, ROOMY)).toMatchObject({
    status: "critical",
    reason: "storage_unreadable",
  });
  expect(files.size).toBe(0);
});

test.each([
  ["healthy", { oldest_s: null, failed: 0, restored: null }],
  ["healthy", { oldest_s: 300, failed: 0, restored: null }],
  ["warning", { oldest_s: 301, failed: 0, restored: null }],
  ["warning", { oldest_s: null, failed: 1, restored: null }],
  ["critical", { oldest_s: 3601, failed: 0, restored: null }],
  ["warning", { oldest_s: null, failed: 0, restored: 0 }],
])("the outbox is %s with %j", (status, outbox) => {
  expect(checkOutbox(outbox).status).toBe(status);
});

test("caches that receive no changes are a warning", () => {
  expect(checkCache({ isLive: () => false }).status).toBe("warning");
  expect(checkCache({ isLive: () => true }).status).toBe("healthy");
});

test("a check that fails is reported in its own words, its error goes to the log", async () => {
  const errors: unknown[] = [];
  const failed = { status: "critical", reason: "database_gone" } as const;
  const fault = new Error("connection to 10.0.0.1 refused");
  const finding = await runCheck(
    () => Promise.reject(fault),
    failed,
    1000,
    (error) => errors.push(error),
  );
  expect(finding).toBe(failed);
  expect(errors).toEqual([fault]);
});

test("a check that takes too long is unknown", async () => {
  const failed = { status: "critical" } as const;
  const finding = await runCheck(
    () => new Promise(() => {}),
    failed,
    20,
    () => {},
  );
  expect(finding).toMatchObject({ status: "unknown", reason: "too_slow" });
});

test("the worst finding decides", () => {
  const of = (...statuses: ("healthy" | "unknown" | "warning" | "critical")[]) =>
    toWorst(statuses.map((status) => ({ status }))).status;
  expect(of()).toBe("healthy");
  expect(of("healthy", "unknown")).toBe("unknown");
  expect(of("warning", "unknown", "healthy")).toBe("warning");
  expect(of("warning", "critical", "healthy")).toBe("critical");
});

describe("readiness", () => {
  /** A database whose statements end when the test says so. */
  function open(limitMs?: number) {
    const clock = { now: new Date("2026-11-20T12:00:00Z") };
    const asked: PromiseWithResolvers<object>[] = [];
    const ping = () => {
      const statement = Promise.withResolvers<object>();
      asked.push(statement);
      return statement.promise;
    };
    const isReady = createReadiness(ping, () => clock.now, limitMs);
    const pass = (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms);
    };
    return { asked, isReady, pass };
  }

  test("a thousand who ask at once share one statement, and those within a second its answer", async () => {
    const { asked, isReady, pass } = open();
    const answers = Array.from({ length: 1000 }, () => isReady());
    asked[0]?.resolve({});
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
    pass(999);
    expect(await isReady()).toBe(true);
    expect(asked).toHaveLength(1);
    pass(1);
    const next = isReady();
    asked[1]?.reject(new Error("gone"));
    expect(await next).toBe(false);
    expect(asked).toHaveLength(2);
  });

  test("while a statement hangs nobody is ready, and no other one is sent; once it has ended there is a next one", async () => {
    const { asked, isReady, pass } = open(1);
    expect(await isReady()).toBe(false);
    pass(5000);
    expect(await isReady()).toBe(false);
    expect(asked).toHaveLength(1);
    asked[0]?.resolve({});
    await asked[0]?.promise;
    await new Promise(setImmediate);
    pass(5000);
    const next = isReady();
    asked[1]?.resolve({});
    expect(await next).toBe(true);
  });

  test("a clock that went back makes no answer last", async () => {
    const { asked, isReady, pass } = open();
    const first = isReady();
    asked[0]?.resolve({});
    await first;
    pass(-3_600_000);
    void isReady();
    expect(asked).toHaveLength(2);
    asked[1]?.resolve({});
  });
});

test.each([
  ["healthy", "2025-11-27T10:00:00Z", undefined],
  ["warning", "2025-11-20T10:00:00Z", { days: 371 }],
  // A file that an older Foyer wrote, or a hand.
  ["healthy", "no day", undefined],
])("keys are %s that are of %s", async (status, made, vars) => {
  const finding = await checkKeys(async () => new Date(made), new Date("2026-11-26T10:00:00Z"));
  expect([finding.status, finding.vars]).toEqual([status, vars]);
  if (status === "warning")
    for (const lang of ["en", "tr"] as const)
      expect(toFindingText(finding, lang)).toMatch(/371.*rotate-keys/);
});

test("processes are named only where something isn't shared with another one, with the settings that would share it", async () => {
  expect(await checkProcesses(async () => [])).toEqual({ status: "healthy" });
  const finding = await checkProcesses(async () => [{ setting: "S3_URL" }, { setting: "REDIS_URL" }]);
  expect(finding).toMatchObject({ status: "warning" });
  for (const lang of ["en", "tr"] as const) expect(toFindingText(finding, lang)).toMatch(/S3_URL, REDIS_URL/);
});

test("processes that share Redis are counted; while it is away the card says what follows", async () => {
  const all = async () => [];
  const state = { isUp: true, server: "redis://cache:6379", processes: 3, missing: 0 };
  expect(await checkProcesses(all, state)).toEqual({
    status: "healthy",
    reason: "processes_up",
    vars: { processes: 3 },
  });
  expect(await checkProcesses(async () => [{ setting: "S3_URL" }], state)).toMatchObject({
    reason: "processes_unshared",
  });
  expect(await checkProcesses(all, { ...state, isUp: false, processes: 1 })).toEqual({
    status: "warning",
    reason: "processes_apart",
    vars: { server: state.server },
  });
});

test("processes that use the database and can't be heard are a warning, whatever this one shares", async () => {
  const state = { isUp: true, server: "redis://cache:6379", processes: 1, missing: 2 };
  const finding = await checkProcesses(async () => [], state);
  expect(finding.status).toBe("warning");
  for (const lang of ["en", "tr"] as const)
    expect(toFindingText(finding, lang)).toMatch(/redis:\/\/cache:6379.* 2\..*REDIS_URL/);
});
