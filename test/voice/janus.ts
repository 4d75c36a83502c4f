import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { startGuarded } from "#server/db/embedded/guarded-process.ts";

const PROGRAM = "/usr/bin/janus";
/** Debian's own starts with everything that it finds; ours gets what mixing needs, and nothing else. */
const PARTS = { plugins: "libjanus_audiobridge.so", transports: "libjanus_websockets.so" };
const START_LIMIT_MS = 30_000;
const KEPT_CHARS = 4000;

/** Tests that need it are skipped elsewhere. */
export const hasJanus = existsSync(PROGRAM);

export interface TestJanus {
  url: string;
  secret: string;
  /** Of Janus itself, for whoever measures it. */
  pid: number;
  /** Ends it as a crash does; `restart` brings it back at the same address, with nothing of what it knew. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Where the packages of this machine's kind have their shared objects. */
async function findPartsFolder(): Promise<string> {
  for (const kind of await readdir("/usr/lib")) {
    const folder = join("/usr/lib", kind, "janus");
    if (existsSync(join(folder, "plugins", PARTS.plugins))) return folder;
  }
  throw new Error("Janus is here without its AudioBridge.");
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function writeConfig(folder: string, port: number, secret: string): Promise<void> {
  const found = await findPartsFolder();
  for (const kind of ["plugins", "transports", "events", "loggers"]) await mkdir(join(folder, kind));
  for (const [kind, file] of Object.entries(PARTS))
    await symlink(join(found, kind, file), join(folder, kind, file));
  await writeFile(
    join(folder, "janus.jcfg"),
    `general: {
      configs_folder = "${folder}"
      plugins_folder = "${folder}/plugins"
      transports_folder = "${folder}/transports"
      events_folder = "${folder}/events"
      loggers_folder = "${folder}/loggers"
      debug_level = 3
      api_secret = "${secret}"
    }
    media: { ipv6 = false }
    nat: { ice_lite = false ignore_mdns = true }\n`,
  );
  await writeFile(
    join(folder, "janus.transport.websockets.jcfg"),
    `general: { json = "compact" ws = true ws_ip = "127.0.0.1" ws_port = ${port} wss = false }
    admin: { admin_ws = false admin_wss = false }\n`,
  );
  await writeFile(join(folder, "janus.plugin.audiobridge.jcfg"), "general: { }\n");
}

async function answers(url: string): Promise<boolean> {
  const socket = new WebSocket(url, "janus-protocol");
  return new Promise((resolve) => {
    socket.once("open", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).then((isOpen) => {
    socket.terminate();
    return isOpen === true;
  });
}

/** A Janus of its own on loopback, with the AudioBridge and nothing else. It ends with this process, however that ends. */
export async function startJanus(): Promise<TestJanus> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-janus-"));
  const port = await findFreePort();
  const secret = "a-secret-of-the-tests";
  const url = `ws://127.0.0.1:${port}`;
  const pidFile = join(folder, "janus.pid");
  await writeConfig(folder, port, secret);

  async function run() {
    const janus = startGuarded([PROGRAM, "--configs-folder", folder, "--pid-file", pidFile], {
      account: undefined,
      logFd: "pipe",
      signal: "KILL",
    });
    let said = "";
    janus.output?.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-KEPT_CHARS);
    });
    let hasEnded = false;
    void janus.ended.then(() => {
      hasEnded = true;
    });
    const end = performance.now() + START_LIMIT_MS;
    while (!(await answers(url))) {
      if (hasEnded || performance.now() > end) throw new Error(`Janus did not start:\n${said}`);
      await sleep(50);
    }
    const pid = Number(await readFile(pidFile, "utf8"));
    const kill = async () => {
      janus.letGo();
      await janus.ended;
    };
    return { pid, kill };
  }

  let running = await run();
  return {
    url,
    secret,
    get pid() {
      return running.pid;
    },
    kill: () => running.kill(),
    async restart() {
      await running.kill();
      running = await run();
    },
    async close() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
