import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createSharedWork, createWorkQueue } from "./limits.ts";

/** Work that ends when the test lets it, or with its abandonment. */
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

test("who goes while they wait is answered at once, and their turn costs nobody a slot", async () => {
  const queue = createWorkQueue({ slots: 1 });
  const job = createJob();
  const leaving = new AbortController();
  const begun: string[] = [];
  const begin = (name: string) => async () => begun.push(name);
  const first = queue.inSlot(() => job.work(new AbortController().signal));
  const gone = queue.inSlot(begin("gone"), leaving.signal);
  const last = queue.inSlot(begin("last"), new AbortController().signal);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ code: "request_timeout" });
  await expect(queue.inSlot(begin("late"), leaving.signal)).rejects.toMatchObject({
    code: "request_timeout",
  });
  expect(begun).toEqual([]);
  job.end("done");
  expect(await Promise.all([first, last])).toEqual(["done", 1]);
  expect(begun).toEqual(["last"]);
});

test("work that has begun holds its slot to its end, also when its signal is aborted", async () => {
  const queue = createWorkQueue({ slots: 1, maxWaiting: 1 });
  const job = createJob();
  const leaving = new AbortController();
  const first = queue.inSlot(() => job.work(new AbortController().signal), leaving.signal);
  const next = queue.inSlot(async () => "next");
  while (job.countStarts() === 0) await nextTurn();
  leaving.abort();
  await expect(queue.inSlot(async () => "more")).rejects.toMatchObject({
    code: "unavailable",
    retryAfterS: 5,
  });
  job.end("done");
  expect(await Promise.all([first, next])).toEqual(["done", "next"]);
});
