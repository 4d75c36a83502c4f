import { expect, test } from "@jest/globals";
import { createSharedWork } from "./totals.ts";

/** Work that ends when told, or with its abandonment. */
function createJob() {
  let started = 0;
  let end: (result: string) => void = () => undefined;
  const work = (abandoned: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      started += 1;
      end = resolve;
      abandoned.addEventListener("abort", () => reject(new Error("abandoned")));
    });
  return { work, end: (result: string) => end(result), countStarts: () => started };
}

test("work of one key is done once for all who wait", async () => {
  const job = createJob();
  const shared = createSharedWork<string>();
  const both = Promise.all([
    shared.run("a", undefined, job.work),
    shared.run("a", new AbortController().signal, job.work),
  ]);
  job.end("done");
  expect(await both).toEqual(["done", "done"]);
  expect(job.countStarts()).toBe(1);
});

test("it goes on while one of them waits", async () => {
  const job = createJob();
  const shared = createSharedWork<string>();
  const leaving = new AbortController();
  const both = Promise.all([
    shared.run("a", leaving.signal, job.work),
    shared.run("a", new AbortController().signal, job.work),
  ]);
  leaving.abort();
  job.end("done");
  expect(await both).toEqual(["done", "done"]);
});

test("it is given up when the last has gone, also one who had gone before", async () => {
  const job = createJob();
  const shared = createSharedWork<string>();
  const leaving = new AbortController();
  const first = shared.run("a", leaving.signal, job.work);
  const second = shared.run("a", AbortSignal.abort(), job.work);
  leaving.abort();
  await expect(first).rejects.toThrow("abandoned");
  await expect(second).rejects.toThrow("abandoned");
  expect(job.countStarts()).toBe(1);
});

test("who comes after it was given up starts it anew", async () => {
  const job = createJob();
  const shared = createSharedWork<string>();
  const leaving = new AbortController();
  const left = shared.run("a", leaving.signal, job.work);
  leaving.abort();
  await expect(left).rejects.toThrow("abandoned");
  const next = shared.run("a", undefined, job.work);
  job.end("again");
  expect(await next).toBe("again");
  expect(job.countStarts()).toBe(2);
});
