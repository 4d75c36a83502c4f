import { SOCKET_CLIENT } from "#contract/socket.ts";
import { readMemory } from "../load/process-usage.ts";
import { countFailed, runLoad } from "../load/run-load.ts";
import { type Figure, toMedian } from "../socket/figure.ts";
import { type LightClient, openLightClient } from "../socket/light-client.ts";
import { type KeptSession, keepSession } from "./kills/session.ts";
import { addMembers, becomeOwner, call } from "./people.ts";
import { openClusterSite, type SiteProcess } from "./site.ts";

const SOCKETS = 2_000;
const PAGES_PER_S = 1_000;
const CONSOLE_PER_S = 200;
const SOCKETS_OF_ONE = 40;
/** Handshakes are limited by address. */
const SOCKETS_OF_ADDRESS = 10;
const HANDSHAKES_AT_ONCE = 10;
/** Tokens are renewed between two of these. */
const SLICE_S = 30;
const LOAD_CONNECTIONS = 20;
/** What a process takes at its start is no slope. */
const WARM_UP_SHARE = 0.25;
const MEMORY_EVERY_MS = 2_000;
const WRITE_EVERY_MS = 1_000;
/** Clients come at different times, and so do their heartbeats. */
const BEAT_PARTS = 100;
const BAR_MS = 250;
const BAR_MB = 1;
const TEN_MINUTES_MS = 600_000;
const MB = 1024 * 1024;

interface ModelList {
  models: { content_type_id: number; model_name: string }[];
}

/** People's sockets, each joined to a live list: each write of a row reaches all of them. */
class Audience {
  readonly clients: LightClient[] = [];
  joined = 0;
  received = 0;
  ended = 0;
  refused = 0;

  async open(
    count: number,
    processes: readonly SiteProcess[],
    people: readonly KeptSession[],
  ): Promise<void> {
    let next = 0;
    const openInTurn = async () => {
      while (next < count) await this.#open(next++, processes, people);
    };
    await Promise.all(Array.from({ length: HANDSHAKES_AT_ONCE }, openInTurn));
  }

  async #open(index: number, processes: readonly SiteProcess[], people: readonly KeptSession[]) {
    const address = Math.floor(index / SOCKETS_OF_ADDRESS);
    const client = await openLightClient({
      port: Number(new URL(processes[index % processes.length]?.url ?? "").port),
      token: people[Math.floor(index / SOCKETS_OF_ONE)]?.member.token ?? "",
      localAddress: `127.0.${1 + Math.floor(address / 250)}.${1 + (address % 250)}`,
      onText: (text) => this.#receive(text),
      onEnd: () => {
        this.ended += 1;
      },
    });
    this.clients.push(client);
    client.send(JSON.stringify(["1", "1", "admin:cv.award", "phx_join", {}]));
  }

  #receive(text: string): void {
    const [, ref, topic, event, payload] = JSON.parse(text);
    if (topic === "phoenix") return;
    if (event === "phx_reply" && ref === "1") {
      if (payload.status === "ok") this.joined += 1;
      else this.refused += 1;
    } else this.received += 1;
  }

  #beats = 0;

  /** A part of them, as many as say so at one time; with all parts everybody did. */
  beat(): void {
    const part = this.#beats++ % BEAT_PARTS;
    for (const [index, client] of this.clients.entries())
      if (index % BEAT_PARTS === part) client.send(JSON.stringify([null, "h", "phoenix", "heartbeat", {}]));
  }
}

/** Megabytes in ten minutes, by least squares over what was read behind the warm-up. */
function toSlope(samples: readonly { at: number; bytes: number }[]): number {
  const read = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanAt, meanBytes] = [mean(read.map(({ at }) => at)), mean(read.map(({ bytes }) => bytes))];
  const sum = (toTerm: (sample: { at: number; bytes: number }) => number) =>
    read.reduce((total, sample) => total + toTerm(sample), 0);
  const slope =
    sum(({ at, bytes }) => (at - meanAt) * (bytes - meanBytes)) / sum(({ at }) => (at - meanAt) ** 2);
  return (slope * TEN_MINUTES_MS) / MB;
}

/** What each ten minutes had in the mean, in MB: a slope alone doesn't say whether it becomes level. */
function toCourse(samples: readonly { at: number; bytes: number }[]): string {
  const [first] = samples;
  const parts = Map.groupBy(samples, ({ at }) => Math.floor((at - (first?.at ?? 0)) / TEN_MINUTES_MS));
  const toMean = (part: readonly { bytes: number }[]) =>
    part.reduce((sum, { bytes }) => sum + bytes, 0) / part.length / MB;
  return [...parts.values()].map((part) => toMean(part).toFixed(1)).join(" → ");
}

/** Two processes under sockets, pages and the console for as long as is said. `share`: of the sockets and of the requests. */
export async function measureSoak({ minutes, share }: { minutes: number; share: number }): Promise<Figure[]> {
  const site = await openClusterSite();
  const kept: KeptSession[] = [];
  const timers: NodeJS.Timeout[] = [];
  const audience = new Audience();
  try {
    const first = await site.add();
    const owner = await becomeOwner(first);
    const processes = [first, await site.add()];
    const sockets = Math.round(SOCKETS * share);
    const names = Array.from({ length: Math.ceil(sockets / SOCKETS_OF_ONE) }, (_, index) => `admin${index}`);
    const members = await addMembers(site, names, 10, (index) => processes[index % 2] as SiteProcess);
    for (const member of [owner, ...members]) kept.push(keepSession(first.url, member));
    await audience.open(sockets, processes, kept.slice(1));
    timers.push(setInterval(() => audience.beat(), SOCKET_CLIENT.heartbeatMs / BEAT_PARTS));

    const [writer] = kept as [KeptSession];
    const { models } = await call<ModelList>(first, "GET", "/api/admin/models/", { headers: owner.headers });
    const model = models.find(({ model_name }) => model_name.toLowerCase() === "award");
    const path = `/api/admin/models/${model?.content_type_id}/objects/`;
    const { rows } = await site.pool.query<{ id: number }>("SELECT id FROM cv_award ORDER BY id LIMIT 1");
    let writes = 0;
    let failedWrites = 0;
    const write = async () => {
      const title = `Award ${writes++}`;
      const isWritten = await writer
        .request("PATCH", `${path}${rows[0]?.id}/`, { title: { en: title, tr: title } })
        .then(async (answer) => answer.ok && (await answer.json()) !== null)
        .catch(() => false);
      if (!isWritten) failedWrites += 1;
    };
    timers.push(setInterval(() => void write(), WRITE_EVERY_MS));

    const memory = processes.map(() => [] as { at: number; bytes: number }[]);
    timers.push(
      setInterval(() => {
        for (const [index, { pid }] of processes.entries())
          memory[index]?.push({ at: performance.now(), bytes: readMemory(pid).rss });
      }, MEMORY_EVERY_MS),
    );

    const p99: number[] = [];
    let requests = 0;
    let failed = 0;
    for (let slice = 0; slice < Math.ceil((minutes * 60) / SLICE_S); slice += 1) {
      const authorization = `Bearer ${await writer.session.getAccessToken()}`;
      const pages = { path: "/en/cv", headers: { "accept-encoding": "br" } };
      const list = { path, headers: { authorization } };
      const results = await Promise.all(
        processes.map(({ url }) =>
          runLoad({
            url,
            connections: LOAD_CONNECTIONS,
            seconds: SLICE_S,
            perSecond: Math.round(((PAGES_PER_S + CONSOLE_PER_S) * share) / processes.length),
            requests: [...Array.from({ length: PAGES_PER_S / CONSOLE_PER_S }, () => pages), list],
          }),
        ),
      );
      for (const result of results) {
        p99.push(result.latency.p99);
        requests += result.requests.total;
        failed += countFailed(result);
      }
    }
    const slopes = memory.map(toSlope);
    return [
      {
        name: `requests that failed, with ${audience.joined} joined sockets over two processes, ${minutes} minutes`,
        bar: "0",
        measured: `${failed} of ${requests} (${Math.round(requests / (minutes * 60))} a second), ${failedWrites} of ${writes} writes`,
        isMet: failed + failedWrites === 0,
      },
      {
        name: "sockets that ended or were refused",
        bar: "0",
        measured: `${audience.ended}, ${audience.refused} of ${sockets}; ${audience.received} messages came`,
        isMet: audience.ended + audience.refused === 0 && audience.joined === sockets,
      },
      {
        name: `p99 of requests, the worst ${SLICE_S} s of a process`,
        bar: `≤ ${BAR_MS} ms`,
        measured: `${Math.max(...p99)} ms, median of all ${toMedian(p99)} ms, ${p99.filter((ms) => ms > BAR_MS).length} of ${p99.length} above`,
        isMet: Math.max(...p99) <= BAR_MS,
      },
      {
        name: "memory of each process in ten minutes",
        bar: `≤ ${BAR_MB} MB more`,
        measured: `${slopes.map((mb) => mb.toFixed(1)).join(", ")} MB (RSS, the mean of each ten minutes: ${memory.map(toCourse).join("; ")})`,
        isMet: slopes.every((mb) => mb <= BAR_MB),
      },
    ];
  } finally {
    for (const timer of timers) clearInterval(timer);
    for (const session of kept) session.stop();
    for (const client of audience.clients) client.cut();
    await site.close();
  }
}
