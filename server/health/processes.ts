import { performance } from "node:perf_hooks";
import * as z from "zod/mini";
import { type ProcessAnswer, type ProcessFigures, processFigures } from "#contract/health.ts";
import type { Link } from "#server/cluster/link-types.ts";

/** What is asked of another process. */
const KIND = "health";
/** Shares of less time say little. */
const SPAN_MIN_MS = 1_000;

/** Of another version it may say other things, and not how it is called. */
const processSays = z.extend(processFigures, { label: z.optional(z.string()) });

interface ProcessDeps {
  link: Pick<Link, "self" | "list" | "ask" | "answer">;
  processLabel: string;
  sockets: { count(): { connections: number } };
  version: string;
  steadyMs: () => number;
  log: { warn(details: object, message: string): void };
}

/** Names a process that hasn't said how it is called, by its address without the part that counts its gaps. */
const toShortName = (address: string) => address.replace(/\.\d+$/, "").slice(0, 8);

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
  const { link, log, processLabel } = deps;
  const measure = createMeasure(deps);
  link.answer(KIND, async () => ({ label: processLabel, ...measure() }));
  /** As they have called themselves, by their addresses. */
  const names = new Map<string, string>();

  async function ask(address: string): Promise<ProcessAnswer> {
    if (address === link.self) return { name: processLabel, figures: measure() };
    try {
      const { label, ...figures } = processSays.parse(await link.ask(address, KIND, null));
      if (label !== undefined) names.set(address, label);
      return { name: names.get(address) ?? toShortName(address), figures };
    } catch (error) {
      const name = names.get(address) ?? toShortName(address);
      log.warn({ err: error, process: name }, "another process doesn't say how it is");
      return { name, figures: null };
    }
  }

  return async () => {
    const addresses = link.list();
    for (const address of names.keys()) if (!addresses.includes(address)) names.delete(address);
    if (addresses.length < 2) return [];
    return (await Promise.all(addresses.map(ask))).sort((a, b) =>
      a.name.localeCompare(b.name, "en", { numeric: true }),
    );
  };
}
