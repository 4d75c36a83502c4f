import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

interface Place {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** The environment of this process without anything that would be a setting of the site, by the names of `.env.example`. */
export function toPlainEnvironment(exampleFile: string): NodeJS.ProcessEnv {
  const settings = [...readFileSync(exampleFile, "utf8").matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? "");
  const { LANG: _lang, NODE_ENV: _node, FOYER_LAUNCHED: _launched, INIT_CWD: _cwd, ...env } = process.env;
  for (const name of settings) delete env[name];
  return env;
}

/** As it is typed; root has no need of `sudo`, and may not have it. */
const toTyped = (line: string) => (process.getuid?.() === 0 ? line.replace(/^sudo /, "") : line);

/** Collects both streams. */
function collect(child: ChildProcess, onText: (all: string) => void): { readonly text: string } {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output.text += chunk;
      onText(output.text);
    });
  return output;
}

/** Runs a line of a shell to its end. @returns its exit code and what it printed */
export async function tryLine(line: string, place: Place): Promise<{ code: number; output: string }> {
  const child = spawn("sh", ["-c", toTyped(line)], { ...place, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child, () => {});
  const [code] = await once(child, "close");
  return { code: Number(code ?? -1), output: output.text };
}

/** @returns what it printed. @throws Error with that, where it fails */
export async function runLine(line: string, place: Place): Promise<string> {
  const { code, output } = await tryLine(line, place);
  if (code !== 0) throw new Error(`"${line}" ended with ${code}:\n${output}`);
  return output;
}

/** What runs until it is stopped. */
export interface Program {
  readonly output: string;
  /** Ctrl-C in its terminal, or systemd's way: to the first process alone. */
  stop(signal?: "SIGINT" | "SIGTERM"): Promise<void>;
}

/** Starts a line of a shell in a group of its own, and waits until it says that it is ready. `signal` ends the wait and the program. */
export async function startLine(
  line: string,
  ready: RegExp,
  { limitMs, signal, ...place }: Place & { limitMs: number; signal: AbortSignal },
): Promise<Program> {
  const child = spawn("sh", ["-c", `exec ${line}`], {
    ...place,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let isReady = () => {};
  const output = collect(child, (text) => {
    if (ready.test(text)) isReady();
  });
  const stop = async (signal: "SIGINT" | "SIGTERM" = "SIGINT") => {
    if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(signal === "SIGINT" ? -child.pid : child.pid, signal);
    await ended;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      isReady = resolve;
      child.once("error", reject);
      signal.addEventListener("abort", () => reject(new Error(`"${line}" was interrupted`)), { once: true });
      child.once("exit", (code) => reject(new Error(`"${line}" ended with ${code}:\n${output.text}`)));
      setTimeout(
        () => reject(new Error(`"${line}" was not ready in ${limitMs / 1000} s:\n${output.text}`)),
        limitMs,
      ).unref();
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get output() {
      return output.text;
    },
    stop,
  };
}
