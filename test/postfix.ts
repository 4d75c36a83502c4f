import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POSTFIX = "/usr/sbin/postfix";
/** Where Debian has it; `postfix start` would leave it behind as a daemon. */
const MASTER = "/usr/lib/postfix/sbin/master";

/** Postfix changes between accounts: only root can start it. */
export const hasPostfix = existsSync(MASTER) && process.getuid?.() === 0;

/** A mail server as Debian has it, on loopback, with files of its own; the system's own one is not touched. */
export interface Postfix {
  url: string;
  readLog(): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  port: number;
  /** Mail to anybody there is taken, and comes back. */
  homeDomain: string;
  /** Domains that are handed on to a port of this machine, such as the one that returns go to. */
  routes: Readonly<Record<string, number>>;
}

function toMainCf(folder: string, { homeDomain, routes }: Options): string {
  const transports = Object.entries(routes).map(
    ([domain, port]) => `{ ${domain} = smtp:[127.0.0.1]:${port} }`,
  );
  return Object.entries({
    compatibility_level: "3.6",
    queue_directory: `${folder}/queue`,
    data_directory: `${folder}/data`,
    maillog_file: `${folder}/log`,
    maillog_file_prefixes: folder,
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    disable_dns_lookups: "yes",
    smtp_host_lookup: "native",
    myhostname: `mx.${homeDomain}`,
    mydestination: "",
    // It is the last server for this domain and knows somebody else there. Nobody is refused by RCPT, as where another server keeps
    // the addresses: mail is taken, and comes back.
    virtual_mailbox_domains: homeDomain,
    virtual_mailbox_maps: `inline:{ { somebody@${homeDomain} = somebody } }`,
    virtual_mailbox_base: `${folder}/mail`,
    smtpd_reject_unlisted_recipient: "no",
    mynetworks: "127.0.0.0/8",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    relay_domains: Object.keys(routes).join(", "),
    transport_maps: `inline:{ ${transports.join(", ")} }`,
    alias_maps: "",
    alias_database: "",
    // What can't be handed on is tried each second, and the sender is notified of the delay.
    delay_warning_time: "1s",
    queue_run_delay: "1s",
    minimal_backoff_time: "1s",
    maximal_backoff_time: "1s",
    smtp_connection_cache_on_demand: "no",
  })
    .map(([name, value]) => `${name} = ${value}\n`)
    .join("");
}

function toMasterCf(port: number): string {
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    "cleanup unix n - n - 0 cleanup",
    "qmgr unix n - n 300 1 qmgr",
    "rewrite unix - - n - - trivial-rewrite",
    "bounce unix - - n - 0 bounce",
    "defer unix - - n - 0 bounce",
    "trace unix - - n - 0 bounce",
    "flush unix n - n 1000? 0 flush",
    "proxymap unix - - n - - proxymap",
    "smtp unix - - n - - smtp",
    "error unix - - n - - error",
    "retry unix - - n - - error",
    "virtual unix - n n - - virtual",
    "anvil unix - - n - 1 anvil",
    "postlog unix-dgram n - n - 1 postlogd",
  ];
  return services.map((line) => `${line}\n`).join("");
}

/** Until somebody listens there; a server that ended instead is a fault. */
async function waitForPort(server: ChildProcess, port: number): Promise<void> {
  while (server.exitCode === null) {
    const socket = createConnection({ host: "127.0.0.1", port });
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false, // not yet
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`postfix ended with ${server.exitCode}`);
}

/** Starts it as a child, which ends with all of its processes. @throws Error with its log where it doesn't start. */
export async function openPostfix(options: Options): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-postfix-"));
  const config = join(folder, "config");
  // Its processes run as other accounts.
  await chmod(folder, 0o755);
  await Promise.all(["config", "queue", "data"].map((name) => mkdir(join(folder, name))));
  await writeFile(join(config, "main.cf"), toMainCf(folder, options));
  await writeFile(join(config, "master.cf"), toMasterCf(options.port));
  execFileSync("chown", ["postfix:", join(folder, "data")]);
  // Makes the folders of the queue.
  execFileSync(POSTFIX, ["-c", config, "check"], { stdio: "pipe" });
  const server = spawn(MASTER, ["-c", config, "-s"], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(server, "exit");
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  const readLog = async () => {
    const log = join(folder, "log");
    return output + (existsSync(log) ? await readFile(log, "utf8") : "");
  };
  const close = async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitForPort(server, options.port);
  } catch (error) {
    const log = await readLog();
    await close();
    throw new Error(`postfix did not start:\n${log}`, { cause: error });
  }
  return { url: `smtp://127.0.0.1:${options.port}`, readLog, close };
}
