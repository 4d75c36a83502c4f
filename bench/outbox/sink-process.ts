import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { SinkCopy } from "./sink.ts";

export interface SinkProcess {
  url: string;
  readCopies(): Promise<SinkCopy[]>;
  stop(): Promise<void>;
}

export async function startSink(): Promise<SinkProcess> {
  const child = fork(join(import.meta.dirname, "sink.ts"));
  const ended = once(child, "exit");
  const fell = ended.then(([code]) => {
    throw new Error(`the sink ended with ${code}`);
  });
  fell.catch(() => undefined); // it is ended on purpose at the end
  const receive = async () => {
    const [message] = await Promise.race([once(child, "message"), fell]);
    return message;
  };
  const { url } = (await receive()) as { url: string }; // what sink.ts sends first
  return {
    url,
    async readCopies() {
      child.send("copies");
      const { copies } = (await receive()) as { copies: SinkCopy[] }; // what sink.ts answers
      return copies;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
