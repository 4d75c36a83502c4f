import { spawn } from "node:child_process";
import { once } from "node:events";

const START_TIMEOUT_MS = 120_000;

/** The product as `npm start` runs it, to be killed. */
export interface ServerProcess {
  url: string;
  /** kill -9. PostgreSQL is left to its guard. */
  kill(): Promise<void>;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

/** Starts the server on a data folder and waits until it is ready. */
export async function startServer(dataDir: string, settings: Record<string, string>): Promise<ServerProcess> {
  const { PUBLIC_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const child = spawn(process.execPath, ["server/main.ts"], {
    env: {
      ...environment,
      ...settings,
      NODE_ENV: "production",
      FOYER_LAUNCHED: "1",
      FOYER_DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  let output = "";
  const ready = new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      output = (output + text).slice(-20_000);
      const url = /Foyer is ready: (http:\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`the server is not ready:\n${output}`)), START_TIMEOUT_MS).unref();
  });
  try {
    return { url: await ready, kill: () => end("SIGKILL"), stop: () => end("SIGINT") };
  } catch (error) {
    await end("SIGKILL");
    throw error;
  }
}
