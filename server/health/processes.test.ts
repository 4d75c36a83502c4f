import { expect, test } from "@jest/globals";
import { createLinkedProcesses } from "#test/linked-processes.ts";
import { until } from "#test/until.ts";
import { openProcessFigures } from "./processes.ts";

const A = "aaaaaaaa-1";
const B = "bbbbbbbb-2";
/** In another order than their addresses. */
const LABELS = { [A]: "machine:3000/2", [B]: "machine:3000/1" };

function open() {
  const processes = createLinkedProcesses(A, B);
  const clock = { ms: 100_000 };
  const warned: string[] = [];
  const openAt = (name: typeof A | typeof B, version: string, connections: number) =>
    openProcessFigures({
      link: processes[name].link,
      processLabel: LABELS[name],
      sockets: { count: () => ({ connections }) },
      version,
      steadyMs: () => clock.ms,
      log: { warn: (_details, message) => void warned.push(message) },
    });
  return { processes, clock, warned, openAt };
}

test("each process is asked, whichever answers the page", async () => {
  const { processes, clock, openAt } = open();
  const [listAtA, listAtB] = [openAt(A, "1.0.0", 3), openAt(B, "1.1.0", 5)];
  await until(() => processes[A].link.list().length === 2 && processes[B].link.list().length === 2);
  clock.ms += 5_000;
  const figures = (version: string, sockets: number) => ({
    version,
    sockets,
    uptime: expect.any(Number),
    memory_usage: expect.any(Number),
    cpu: expect.any(Number),
    event_loop: expect.any(Number),
  });
  const wanted = [
    { name: "machine:3000/1", figures: figures("1.1.0", 5) },
    { name: "machine:3000/2", figures: figures("1.0.0", 3) },
  ];
  expect(await listAtA()).toEqual(wanted);
  expect(await listAtB()).toEqual(wanted);
});

test("shares are of the time since the question before", async () => {
  const { processes, clock, openAt } = open();
  const list = openAt(A, "1.0.0", 0);
  openAt(B, "1.0.0", 0);
  await until(() => processes[A].link.list().length === 2);
  const read = async () => (await list())[1]?.figures;
  clock.ms += 5_000;
  await read();
  const begin = process.cpuUsage();
  while (process.cpuUsage(begin).user < 50_000) Math.sqrt(begin.user);
  clock.ms += 100_000;
  const cpu = (await read())?.cpu ?? 0;
  expect(cpu).toBeGreaterThan(0.0005);
  expect(cpu).toBeLessThan(0.5);
  // Asked again at once there is nothing to divide by.
  expect((await read())?.cpu).toBe(cpu);
});

test("one that says nothing, or something else, is named without figures", async () => {
  const { processes, warned, openAt } = open();
  const list = openAt(A, "1.0.0", 0);
  await until(() => processes[A].link.list().length === 2);
  processes[B].link.answer("health", async () => ({ load: 1 }));
  expect((await list())[0]).toEqual({ name: "bbbbbbbb", figures: null });
  expect(warned).toEqual(["another process doesn't say how it is"]);
  // Once it has said its name, it is called by it.
  openAt(B, "1.0.0", 0);
  await list();
  processes[B].link.answer("health", async () => null);
  expect((await list())[0]).toEqual({ name: "machine:3000/1", figures: null });
});

test("a process alone has no list", async () => {
  const { link } = createLinkedProcesses(A)[A];
  const log = { warn: () => undefined };
  const sockets = { count: () => ({ connections: 0 }) };
  const deps = { link, processLabel: "a", sockets, version: "1", steadyMs: () => 0, log };
  expect(await openProcessFigures(deps)()).toEqual([]);
});
