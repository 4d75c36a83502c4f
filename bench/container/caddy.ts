import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/until.ts";

const PROGRAM = "/usr/bin/caddy";

export const hasCaddy = existsSync(PROGRAM);

/** Debian's Caddy with container/Caddyfile, without HTTPS, before these processes. */
export async function startCaddy(port: number, processes: readonly { url: string }[]) {
  const folder = await mkdtemp(join(tmpdir(), "foyer-caddy-"));
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(PROGRAM, ["run", "--config", "container/Caddyfile", "--adapter", "caddyfile"], {
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SITE: url,
      UPSTREAMS: processes.map((each) => new URL(each.url).host).join(" "),
    },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await until(() =>
    fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
