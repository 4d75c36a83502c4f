import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { becomeOwner } from "../cluster/people.ts";
import type { Figure } from "../socket/figure.ts";
import { IMAGE } from "./image.ts";
import { podman, RUNTIME, succeeds } from "./podman.ts";
import { findFreePort } from "./site.ts";
import { buildStandIns } from "./stand-ins.ts";

const run = promisify(execFile);

const PROJECT = "foyer-bench";
/** Podman's names for compose's containers. */
const toName = (service: string) => `${PROJECT}_${service}_1`;
const PROCESSES = [toName("foyer-1"), toName("foyer-2")];
/** By itself podman-compose stops what others need before those, unlike Docker's. It begins with the last one. */
const SERVICES = ["postgres", "valkey", "s3", "coturn", "foyer-1", "foyer-2", "caddy"];
const CHECKED = [...PROCESSES, toName("postgres"), toName("valkey")];
const READY_LIMIT_MS = 90_000;
/** What takes longer hangs. */
const STEP_LIMIT_MS = 300_000;
const COMMAND_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 10_000;

/** What this machine needs of podman, for those that compose calls. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
log_driver = "k8s-file"
${RUNTIME ? `[engine]\nruntime = "${RUNTIME}"\n` : ""}`;

/**
 * compose.yaml as it is, but for what would listen on other addresses of this machine than loopback, and for what Debian's podman-compose
 * can't: `:?` in place of a value, and a service with `network_mode`.
 */
const toRun = (text: string, port: number, values: ReadonlyMap<string, string>) =>
  text
    .replaceAll(
      /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
      (_all, name: string, other = "") => values.get(name) || other,
    )
    .replaceAll(/^ +- "(?:80:80|443:443\/udp)"\n/gm, "")
    .replace('"443:443"', `"127.0.0.1:${port}:443"`)
    .replace("network_mode: none", "networks: [back]")
    .replace("network_mode: host", "networks: [front]");

const SECRET = /(SECRET|PASSWORD)$/;

/** As an owner fills in env.example. */
function fillIn(example: string): Map<string, string> {
  const values = new Map<string, string>([["FOYER_IMAGE", IMAGE]]);
  for (const [, name = "", value = ""] of example.matchAll(/^(\w+)=(.*)$/gm))
    values.set(name, SECRET.test(name) ? randomBytes(32).toString("hex") : value);
  return values.set("SITE", "localhost").set("TURN_HOST", "localhost").set("TURN_EXTERNAL_IP", "127.0.0.1");
}

/** Starts compose.yaml as a whole upon stand-ins for a registry's images, and asks what an owner would. */
export async function measureCompose(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-compose-"));
  const port = await findFreePort();
  await cp("container", folder, { recursive: true });
  const compose = await readFile(join(folder, "compose.yaml"), "utf8");
  await buildStandIns(compose);
  const values = fillIn(await readFile(join(folder, "env.example"), "utf8"));
  await writeFile(join(folder, "compose.yaml"), toRun(compose, port, values), { mode: 0o600 });
  await writeFile(join(folder, "containers.conf"), CONTAINERS_CONF);
  const up = (...args: string[]) =>
    run("podman-compose", ["--project-name", PROJECT, "--file", "compose.yaml", ...args], {
      cwd: folder,
      env: { ...process.env, CONTAINERS_CONF: join(folder, "containers.conf") },
      maxBuffer: 64 * 1024 * 1024,
      timeout: STEP_LIMIT_MS,
    });
  let isOver = false;
  /** Without systemd nobody asks by the clock. */
  const asking = (async () => {
    while (!isOver) {
      for (const name of CHECKED) await succeeds("healthcheck", "run", name);
      await sleep(1_000);
    }
  })();
  try {
    const begin = performance.now();
    await up("up", "--detach", "--no-build");
    const secrets = [...values].filter(([name]) => SECRET.test(name)).map(([, value]) => value);
    const figures = await look(port, begin, secrets);
    const stop = performance.now();
    await up("stop", "--timeout", "60", ...SERVICES);
    return [...figures, await findKilled((performance.now() - stop) / 1000)];
  } finally {
    isOver = true;
    await asking;
    await up("down", "--volumes").catch(console.warn);
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns what it printed, however it ended */
const runIn = (service: string, ...command: string[]): Promise<string> =>
  run("podman", ["exec", toName(service), ...command], { timeout: COMMAND_LIMIT_MS }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed\n${stdout}${stderr}`,
  );

const readHealths = () =>
  Promise.all(
    CHECKED.map(async (name) =>
      (await podman("inspect", "--format", "{{.State.Health.Status}}", name)).trim(),
    ),
  );

async function look(port: number, begin: number, secrets: readonly string[]): Promise<Figure[]> {
  // Caddy makes a certificate of its own for localhost.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const url = `https://localhost:${port}`;
  const answers = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).then(
      ({ status }) => status,
      () => 0,
    );
  while ((await answers("/api/health/ready")) !== 200) {
    if (performance.now() - begin > READY_LIMIT_MS)
      throw new Error((await podman("logs", PROCESSES[0] ?? "")).slice(-2_000));
    await sleep(500);
  }
  const ready = ((performance.now() - begin) / 1000).toFixed(1);
  const page = await answers("/en/cv");
  const output = (await Promise.all(PROCESSES.map((name) => podman("logs", name)))).join("\n");
  const owner = await becomeOwner({ url, output });
  // Caddy answers as soon as one process does: the others may still start.
  let healths = await readHealths();
  while (healths.includes("starting") && performance.now() - begin < READY_LIMIT_MS) {
    await sleep(500);
    healths = await readHealths();
  }
  const check = await runIn("foyer-1", "node", "server/cli.ts", "check");
  const processes = check.split("\n").find((line) => line.includes("run, and share")) ?? check;
  const relay = await runIn("coturn", "turnutils_stunclient", "127.0.0.1");
  const is = (name: string, bar: string, measured: string, isMet: boolean): Figure => ({
    name,
    bar,
    measured,
    isMet,
  });
  return [
    { name: "from `up` to an answer through Caddy", bar: "", measured: `${ready} s` },
    is("/en/cv through Caddy, by HTTPS", "200", String(page), page === 200),
    is("the set-up link of a log makes the owner", "an id", String(owner.userId), owner.userId > 0),
    is("check inside", "2 run, and share all", processes.trim(), processes.includes("2 run, and share")),
    is(
      "health checks",
      "healthy",
      healths.join(", "),
      healths.every((one) => one === "healthy"),
    ),
    is(
      "the relay answers",
      "an address",
      relay.trim().split("\n").at(-1) ?? "",
      /reflexive addr/i.test(relay),
    ),
    await findSecrets(secrets),
  ];
}

/** Who didn't end when asked to. */
async function findKilled(seconds: number): Promise<Figure> {
  const label = `label=io.podman.compose.project=${PROJECT}`;
  const format = "{{.Names}} {{.ExitCode}} {{.Exited}}";
  const lines = (await podman("ps", "--all", "--filter", label, "--format", format)).trim().split("\n");
  const killed = lines.filter((line) => !line.endsWith(" true") || line.includes(" 137 "));
  return {
    name: "SIGTERM ends each",
    bar: "all",
    measured: `${lines.length - killed.length} of ${lines.length}${killed.map((line) => `, not ${line}`).join("")}, one after the other within ${seconds.toFixed(1)} s`,
    isMet: killed.length === 0,
  };
}

/** That none stands where everybody on the machine sees it, while all programs of the containers run. */
async function findSecrets(secrets: readonly string[]): Promise<Figure> {
  const { stdout } = await run("ps", ["-ww", "-eo", "args="], { maxBuffer: 64 * 1024 * 1024 });
  const programs = stdout.trim().split("\n");
  const found = secrets.filter((secret) => stdout.includes(secret)).length;
  const isWhole = ["valkey-server", "turnserver", "server/main.ts"].every((name) => stdout.includes(name));
  return {
    name: "secrets among the arguments of programs",
    bar: `none of ${secrets.length}`,
    measured: `${found}, in ${stdout.trim().split(/\s+/).length} arguments of ${programs.length} programs`,
    isMet: found === 0 && secrets.length > 0 && isWhole,
  };
}
