import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import type { FileStorage } from "#server/files/store.ts";
import { checkCache, checkDatabase, checkFileStorage, checkOutbox } from "./checks.ts";
import { runCheck, toWorst } from "./finding.ts";

const ROOMY = { used: 10e9, free: 90e9 };

function createStorage(change: (content: Uint8Array) => Uint8Array = (content) => content) {
  const files = new Map<string, Uint8Array>();
  const storage: FileStorage = {
    put: async (key, content) => void files.set(key, change(content)),
    async open(key) {
      const content = files.get(key);
      return content && { stream: Readable.from([Buffer.from(content)]), byteSize: content.byteLength };
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

test("a storage that gives something else back is critical", async () => {
  const { files, storage } = createStorage(() => Buffer.from("else"));
  expect(await checkFileStorage(storage, ROOMY)).toMatchObject({
    status: "critical",
    reason: "storage_unreadable",
  });
  expect(files.size).toBe(0);
});

test.each([
  ["healthy", { oldest_s: null, failed: 0 }],
  ["healthy", { oldest_s: 300, failed: 0 }],
  ["warning", { oldest_s: 301, failed: 0 }],
  ["warning", { oldest_s: null, failed: 1 }],
  ["critical", { oldest_s: 3601, failed: 0 }],
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
