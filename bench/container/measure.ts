import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { makePhoto } from "#server/pictures/fixture.ts";
import { until } from "#test/until.ts";
import { becomeOwner, call } from "../cluster/people.ts";
import { type Figure, toMb } from "../socket/figure.ts";
import { hasCaddy, startCaddy } from "./caddy.ts";
import type { ContainedProcess, ContainedSite } from "./site.ts";

/** As compose.yaml's stop_grace_period. */
const STOP_LIMIT_S = 60;

const toFigure = (name: string, bar: string, measured: string, isMet: boolean): Figure => ({
  name,
  bar,
  measured,
  isMet,
});

const answers = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** An emulated processor works ten times as long. */
const START_LIMIT_MS = 900_000;

/** @throws Error with what it said, where it doesn't get ready */
async function waitForReady({ url, container }: ContainedProcess): Promise<void> {
  const end = performance.now() + START_LIMIT_MS;
  while ((await answers(`${url}/api/health/ready`)) !== 200) {
    if (performance.now() > end) throw new Error(`not ready: ${await container.readLog()}`);
    await sleep(500);
  }
}

/** What a line of /proc/…/status says. */
const readStatus = (pid: number, name: string) =>
  new RegExp(`^${name}:\\s*(.+)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";

/** That the process may do what it needs, and nothing else. */
async function measureRights({ container }: ContainedProcess): Promise<Figure[]> {
  const uids = readStatus(container.pid, "Uid").split(/\s+/);
  const capabilities = ["CapPrm", "CapEff", "CapBnd"].map((name) => readStatus(container.pid, name));
  const root = await container.try("touch", "/app/file", "/file");
  const own = await container.try("touch", "/data/file", "/tmp/file");
  const pss = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${container.pid}/smaps_rollup`, "utf8"))?.[1];
  return [
    toFigure(
      "account of the process",
      "10001 alone",
      [...new Set(uids)].join(" "),
      uids.every((uid) => uid === "10001"),
    ),
    toFigure(
      "capabilities, permitted, effective and bounding",
      "none",
      [...new Set(capabilities)].join(" "),
      capabilities.every((mask) => /^0+$/.test(mask)),
    ),
    toFigure(
      "gains new rights by no program",
      "1",
      readStatus(container.pid, "NoNewPrivs"),
      readStatus(container.pid, "NoNewPrivs") === "1",
    ),
    toFigure(
      "writing below / and /app",
      "refused twice: read-only",
      root.output.trim().split("\n").at(-1) ?? "",
      (root.output.match(/Read-only file system/g)?.length ?? 0) === 2,
    ),
    toFigure("writing to /data and /tmp", "works", own.isGood ? "works" : own.output.trim(), own.isGood),
    { name: "memory of a process after its start", bar: "", measured: `${toMb(Number(pss) * 1024)} (PSS)` },
  ];
}

interface Health {
  services: Record<string, { status: string; message: string }>;
}
interface Models {
  models: { content_type_id: number; model_name: string }[];
}

/** What the health page says of two that are one site. */
const BOTH = "Processes that reach each other: 2.";

/** That both are one site: what is done at one counts at the other. */
async function measureSharing(first: ContainedProcess, second: ContainedProcess): Promise<Figure[]> {
  const { headers } = await becomeOwner({ url: first.url, output: await first.container.readLog() });
  const readHealth = async () => (await call<Health>(second, "GET", "/api/health/", { headers })).services;
  await until(async () => (await readHealth()).processes?.message === BOTH);
  const { models } = await call<Models>(second, "GET", "/api/admin/models/", { headers });
  const model = models.find(({ model_name }) => model_name.toLowerCase() === "certificate")?.content_type_id;

  const photo = makePhoto("png");
  const form = new FormData();
  form.set("model", String(model));
  form.set("field", "file");
  form.set("file", new Blob([new Uint8Array(photo)]), "a.png");
  const sent = await fetch(`${first.url}/api/admin/files/`, { method: "POST", headers, body: form });
  const { url } = (await sent.json()) as { url: string };
  const label = { en: "One", tr: "Bir" };
  await call(first, "POST", `/api/admin/models/${model}/objects/`, { headers, body: { label, file: url } });
  const opened = await fetch(second.url + url);
  const isSame = Buffer.from(await opened.arrayBuffer()).equals(photo);
  const drawn = await fetch(`${second.url}/pictures/${url.slice("/files/".length)}/192.webp`);
  const type = `${drawn.status} ${drawn.headers.get("content-type")}`;
  const findings = Object.entries(await readHealth()).filter(([, { status }]) => status === "critical");
  return [
    toFigure("processes on the health page of the second", "2", BOTH, true), // `until` has seen it
    toFigure(
      "a file uploaded at the first, opened at the second",
      "200, the same bytes",
      `${opened.status}, ${isSame ? "the same" : "other"} bytes`,
      isSame,
    ),
    toFigure(
      "a smaller picture of it, drawn by the second",
      "200 image/webp",
      type,
      type === "200 image/webp",
    ),
    toFigure(
      "what the health page calls critical",
      "nothing",
      findings.map(([name, { message }]) => `${name}: ${message}`).join(", ") || "nothing",
      findings.length === 0,
    ),
  ];
}

/** Requests through Caddy, one after the other, while a process stops. */
async function measureStop(stopped: ContainedProcess, through: string): Promise<Figure[]> {
  const codes: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) codes.push(await answers(`${through}/en/cv`));
  })();
  const { code, ms } = await stopped.container.stop(STOP_LIMIT_S);
  isOver = true;
  await asking;
  const failed = codes.filter((each) => each !== 200);
  return [
    toFigure(
      "SIGTERM ends it",
      `code 0, within ${STOP_LIMIT_S} s`,
      `code ${code}, ${(ms / 1000).toFixed(1)} s`,
      code === 0,
    ),
    {
      name: "requests meanwhile, through Caddy where it is there",
      bar: hasCaddy ? "none fails" : "",
      measured: `${failed.length} of ${codes.length} failed`,
      ...(hasCaddy && { isMet: failed.length === 0 }),
    },
  ];
}

/** One container with its own database: nothing to set, and it ends as cleanly. */
export async function measureAlone(site: ContainedSite): Promise<Figure[]> {
  const begin = performance.now();
  const alone = await site.startAlone();
  await waitForReady(alone);
  const { url, container } = alone;
  const ready = (performance.now() - begin) / 1000;
  const page = await answers(`${url}/en/cv`);
  const { output: processor } = await container.try("node", "--print", "process.arch");
  const { code, ms } = await container.stop(STOP_LIMIT_S);
  return [
    { name: "processor that it runs on, emulated or not", bar: "", measured: processor.trim() },
    toFigure(
      "one with its own database: /en/cv",
      "200",
      `${page}, ready after ${ready.toFixed(1)} s`,
      page === 200,
    ),
    toFigure(
      "SIGTERM ends it and its database",
      "code 0",
      `code ${code}, ${(ms / 1000).toFixed(1)} s`,
      code === 0,
    ),
  ];
}

/** Starts two containers of the site, and tries what compose.yaml promises of them; `show` gets it as it is found. `port`: for Caddy. */
export async function measureContainers(
  site: ContainedSite,
  port: number,
  show: (figures: readonly Figure[]) => void,
): Promise<void> {
  const begin = performance.now();
  const processes = await site.start(2);
  const [first, second] = processes;
  if (!first || !second) throw new Error("there are no containers");
  for (const each of processes) await waitForReady(each);
  const ready = (performance.now() - begin) / 1000;
  const pages = await Promise.all(processes.map(({ url }) => answers(`${url}/en/cv`)));
  const health = await first.container.checkHealth();
  const figures: Figure[] = [
    {
      name: "two started at once over an empty database: both ready",
      bar: "",
      measured: `${ready.toFixed(1)} s`,
    },
    toFigure(
      "/en/cv of both",
      "200",
      pages.join(", "),
      pages.every((code) => code === 200),
    ),
    toFigure("the image's health check", "healthy", health, health === "healthy"),
    ...(await measureRights(first)),
    ...(await measureSharing(first, second)),
  ];
  show(figures);
  const caddy = hasCaddy ? await startCaddy(port, processes) : undefined;
  try {
    show(await measureStop(first, caddy?.url ?? second.url));
  } finally {
    await caddy?.stop();
  }
  show(await measureAlone(site));
}
