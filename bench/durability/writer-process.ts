import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type WriterMessage, writerMessage } from "./messages.ts";

const WRITER = fileURLToPath(new URL("./writer.ts", import.meta.url));

/** A writer as seen by the one who kills it. */
export interface WriterProcess {
  child: ChildProcess;
  /** Resolves at the first committed row, or when the writer has ended. */
  wrote: Promise<void>;
  /** Resolves when it has ended and all it printed was read. */
  ended: Promise<void>;
}

/** Starts a writer; `receive` gets each message in order. */
export function startWriter(
  dataDir: string,
  receive: (message: WriterMessage) => void,
  args: string[] = [],
): WriterProcess {
  const child = spawn(process.execPath, [WRITER, dataDir, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  child.on("error", (error) => receive({ kind: "failed", message: String(error) }));
  const lines = createInterface({ input: child.stdout });
  const wrote = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      const message = parseLine(line);
      if (!message) return;
      receive(message);
      if (message.kind === "row") resolve();
    });
    child.once("close", () => resolve());
  });
  const ended = Promise.all([once(child, "close"), once(lines, "close")]).then(() => undefined);
  return { child, wrote, ended };
}

/** The last line may be cut in two by the kill; it was not acknowledged then. */
function parseLine(line: string): WriterMessage | undefined {
  if (!line.endsWith("}")) return undefined;
  return writerMessage.parse(JSON.parse(line));
}
