import { performance } from "node:perf_hooks";
import { type ProcessAnswer, type ProcessFigures, processFigures } from "#contract/health.ts";
import type { Link } from "#server/cluster/link-types.ts";

/** What is asked of another process. */
const KIND = "health";
/** Shares of less time say little. */
const SPAN_MIN_MS = 1_000;

interface ProcessDeps {
  link: Pick<Link, "self" | "list" | "ask" | "answer">;
  sockets: { count(): { connections: number } };
  version: string;
  steadyMs: () => number;
  log: { warn(details: object, message: string): void };
}

/** Names a process by its address without the part that counts its gaps. */
const toName = (address: string) => address.replace(/\.\d+$/, "").slice(0, 8);

/** What this process measures of itself. Its shares are of the time since somebody asked before: nothing runs meanwhile. */
function createMeasure({ sockets, version, steadyMs }: ProcessDeps): () => ProcessFigures {
  let before = {
    at: steadyMs() - process.uptime() * 1000,
    cpu: { user: 0, system: 0 },
    loop: { idle: 0, active: 0 },
  };
  let shares = { cpu: 0, event_loop: 0 };
  return () => {
    const at = steadyMs();
    if (at - before.at >= SPAN_MIN_MS) {
      const cpu = process.cpuUsage();
      const loop = performance.eventLoopUtilization();
      const cpuMs = (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / 1000;
      const active = loop.active - before.loop.active;
      const looped = active + loop.idle - before.loop.idle;
      shares = { cpu: cpuMs / (at - before.at), event_loop: looped > 0 ? active / looped : 0 };
      before = { at, cpu, loop };
    }
    return {
      version,
      uptime: process.uptime(),
      ...shares,
      memory_usage: process.memoryUsage.rss(),
      sockets: sockets.count().connections,
    };
  };
}

/** Asks all processes of the site how they are, and answers the others. @returns nothing where this one is alone. */
export function openProcessFigures(deps: ProcessDeps): () => Promise<ProcessAnswer[]> {
  const { link, log } = deps;
  const measure = createMeasure(deps);
  link.answer(KIND, async () => measure());

  async function ask(address: string): Promise<ProcessAnswer> {
    const name = toName(address);
    if (address === link.self) return { name, figures: measure() };
    try {
      // Of another version, it may say other things.
      return { name, figures: processFigures.parse(await link.ask(address, KIND, null)) };
    } catch (error) {
      log.warn({ err: error, process: name }, "another process doesn't say how it is");
      return { name, figures: null };
    }
  }

  return async () => {
    const addresses = link.list();
    return addresses.length > 1 ? Promise.all(addresses.map(ask)) : [];
  };
}
