import { createSocket } from "node:dgram";
import { once } from "node:events";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Queryable } from "#server/db/pool.ts";
import type { ChainDuty } from "./duty.ts";
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
  /**
   * Hands over the entries of seals that it hasn't had, as long as that is this process's work. Never throws: what fails is logged,
   * and comes the next time.
   */
  deliver(): Promise<void>;
  /** What it refuses, and since when; undefined while it takes what it is given. */
  getFailing(): { since: Date; reason: string } | undefined;
}

/**
 * Its place, a file of the data folder and what the process before left, says which seal it had last. A delivery that was cut may
 * come again: entries have numbers.
 */
export function createSink(deps: {
  pool: Queryable;
  target: SinkTarget;
  dataDir: string;
  duty: Pick<ChainDuty, "isMine" | "read" | "write">;
  log: { error(details: object, message: string): void };
  now: () => Date;
}): Sink {
  const { pool, target, dataDir, duty, log, now } = deps;
  const place = join(dataDir, "audit-sink.txt");
  let failing: { since: Date; reason: string } | undefined;

  /** False: another process delivers by now. */
  const keepPlace = async (seal: string) => {
    const draft = `${place}.${process.pid}.part`;
    await writeFile(draft, `${seal}\n`, { mode: 0o600 });
    await rename(draft, place);
    return duty.write({ had: seal });
  };
  const readPlace = async () => {
    const text = await readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return "0";
    });
    const last = (await selectLastSeal(pool))?.id ?? "0";
    const own = /^\d{1,18}$/.test(text.trim()) ? BigInt(text.trim()) : 0n;
    // The process before may have had another folder.
    const left = BigInt((await duty.read()).had ?? 0);
    const had = own > left ? own : left;
    // After a restore the chain may be shorter: its next seal is new to the sink.
    return had > BigInt(last) ? BigInt(last) : had;
  };

  return {
    async deliver() {
      if (!duty.isMine()) return;
      try {
        for (let had = await readPlace(); ; had++) {
          const lines = await selectSealedLines(pool, String(had + 1n));
          if (lines === undefined) break;
          if (!duty.isMine()) return;
          await deliverTo(target, lines);
          if (!(await keepPlace(String(had + 1n)))) return;
        }
        failing = undefined;
      } catch (error) {
        if (!failing)
          log.error({ err: error }, "AUDIT_SINK takes no entries of the audit log: tried again each minute");
        failing ??= { since: now(), reason: "" };
        failing.reason = (error as Error).message;
      }
    },
    getFailing: () => failing,
  };
}
