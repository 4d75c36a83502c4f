import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A balancer in front of processes on loopback. */
export interface Balancer {
  url: string;
  /** By the port of each: whether it is sent requests. */
  readUp(): Promise<ReadonlyMap<number, boolean>>;
  stop(): Promise<void>;
}

/** How often a process is asked whether it is ready, and how many refusals take it out. */
export const CHECK = { intervalMs: 500, failures: 2 };

/** What an owner would write, but for the ports. A request that was sent is never sent again: what a process loses is seen. */
function toConfig(port: number, statsPort: number, servers: readonly number[]): string {
  return `
global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout tunnel 1h
  timeout check 3s
  option redispatch
frontend site
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend foyer
backend foyer
  balance roundrobin
  option httpchk GET /api/health/ready
  default-server check inter ${CHECK.intervalMs}ms fall ${CHECK.failures} rise 1
${servers.map((server) => `  server p${server} 127.0.0.1:${server}`).join("\n")}
frontend stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;
}

/** Starts Debian's haproxy. */
export async function startBalancer(
  folder: string,
  ports: { site: number; stats: number },
  servers: readonly number[],
): Promise<Balancer> {
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, toConfig(ports.site, ports.stats, servers));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const stats = `http://127.0.0.1:${ports.stats}/;csv`;
  const isListening = () =>
    fetch(stats).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isListening())) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${ports.site}`,
    async readUp() {
      const text = await (await fetch(stats)).text();
      const [head = "", ...lines] = text.split("\n");
      const names = head.split(",");
      const rows = lines.map((line) => line.split(","));
      const pick = (row: string[], name: string) => row[names.indexOf(name)] ?? "";
      return new Map(
        servers.map((port) => {
          const row = rows.find((cells) => pick(cells, "svname") === `p${port}`) ?? [];
          return [port, pick(row, "status").startsWith("UP")];
        }),
      );
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
