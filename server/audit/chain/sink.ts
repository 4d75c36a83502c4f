import { createSocket } from "node:dgram";
import { once } from "node:events";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Queryable } from "#server/db/pool.ts";
import type { Finding } from "#server/health/service.ts";
import { selectLastSeal, selectSealedLines } from "./store.ts";
import { type SinkLine, type SinkTarget, toSyslog } from "./target.ts";

const TCP_LIMIT_MS = 10_000;

async function deliverTo(target: SinkTarget, lines: readonly SinkLine[]): Promise<void> {
  if (target.kind === "file") {
    const file = await open(target.path, "a", 0o600);
    try {
      await file.appendFile(lines.map(({ line }) => `${line}\n`).join(""));
      await file.sync();
    } finally {
      await file.close();
    }
    return;
  }
  const { host, port, protocol } = target;
  if (protocol === "udp") {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    try {
      for (const line of lines)
        await new Promise<void>((resolve, reject) => {
          socket.send(toSyslog(line), port, host, (error) => (error ? reject(error) : resolve()));
        });
    } finally {
      socket.close();
    }
    return;
  }
  const socket = connect({ host, port });
  socket.setTimeout(TCP_LIMIT_MS, () => socket.destroy(new Error("the syslog server took too long")));
  await once(socket, "connect");
  const closed = once(socket, "close");
  // Each message after its length (RFC 6587): a line may hold anything.
  for (const line of lines.map(toSyslog)) socket.write(Buffer.concat([Buffer.from(`${line.length} `), line]));
  socket.end();
  socket.resume();
  await closed;
}

export interface Sink {
  /** Hands over the entries of seals that it hasn't had. Never throws: what fails is logged, and comes the next time. */
  deliver(): Promise<void>;
  /** Undefined while it takes what it is given. */
  check(): Finding | undefined;
}

/** Its place, a file of the data folder, says which seal it had last. A delivery that was cut may come again: entries have numbers. */
export function createSink(deps: {
  pool: Queryable;
  target: SinkTarget;
  dataDir: string;
  log: { error(details: object, message: string): void };
  now: () => Date;
}): Sink {
  const { pool, target, dataDir, log, now } = deps;
  const place = join(dataDir, "audit-sink.txt");
  let failing: { since: Date; reason: string } | undefined;

  const keepPlace = async (seal: string) => {
    await writeFile(`${place}.part`, `${seal}\n`, { mode: 0o600 });
    await rename(`${place}.part`, place);
  };
  const readPlace = async () => {
    const text = await readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return "0";
    });
    const last = (await selectLastSeal(pool))?.id ?? "0";
    const had = /^\d{1,18}$/.test(text.trim()) ? BigInt(text.trim()) : 0n;
    // After a restore the chain may be shorter: its next seal is new to the sink.
    return had > BigInt(last) ? BigInt(last) : had;
  };

  return {
    async deliver() {
      try {
        for (let had = await readPlace(); ; had++) {
          const lines = await selectSealedLines(pool, String(had + 1n));
          if (lines === undefined) break;
          await deliverTo(target, lines);
          await keepPlace(String(had + 1n));
        }
        failing = undefined;
      } catch (error) {
        if (!failing)
          log.error({ err: error }, "AUDIT_SINK takes no entries of the audit log: tried again each minute");
        failing ??= { since: now(), reason: "" };
        failing.reason = (error as Error).message;
      }
    },
    check() {
      if (!failing) return undefined;
      const when = failing.since.toISOString().slice(0, 16).replace("T", " ");
      return { status: "warning", reason: "audit_sink_fails", vars: { when, fault: failing.reason } };
    },
  };
}
