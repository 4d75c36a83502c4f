import { type Profiler, Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const SAMPLE_EVERY_US = 200;
const HOTTEST = 12;

/** One function and its own share of the time that was not idle. */
export interface Hot {
  name: string;
  /** In per cent. */
  share: string;
}

function toPlace({ functionName, url, lineNumber }: Profiler.ProfileNode["callFrame"]): string {
  const name = functionName || "(anonymous)";
  if (!url) return name;
  const file = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : url;
  return `${name} ${file}:${lineNumber + 1}`;
}

function findHottest({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Hot[] {
  const places = new Map(nodes.map((node) => [node.id, toPlace(node.callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const place = places.get(id) ?? "";
    if (place !== "(idle)") times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0));
  });
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, HOTTEST)
    .map(([name, time]) => ({ name, share: ((time / all) * 100).toFixed(1) }));
}

/** Samples this process until it is stopped, which tells its hottest functions. */
export async function startProfiler(): Promise<() => Promise<Hot[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    return findHottest(profile);
  };
}
