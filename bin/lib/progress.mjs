import { createWriteStream } from "node:fs";

/** What a test runner's reporter tells bin/test.mjs: how many are done, and which are running. */
export function openProgress(unit) {
  const fd = process.env.FOYER_PROGRESS_FD;
  const out = fd ? createWriteStream("", { fd: Number(fd) }) : undefined;
  const running = new Set();
  let done = 0;
  let all = 0;
  const tell = () => out?.write(`${done} of ${all} ${unit}, now ${[...running].join(", ")}\n`);
  return {
    begin: (count) => {
      all = count;
    },
    start: (name) => {
      running.add(name);
      tell();
    },
    end: (name) => {
      running.delete(name);
      done += 1;
      tell();
    },
    listRunning: () => [...running],
  };
}
