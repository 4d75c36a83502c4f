import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

const START_TIMEOUT_MS = 120_000;

/** The product as `npm start` runs it, to be killed. */
export interface ServerProcess {
  url: string;
  /** kill -9. PostgreSQL is left to its guard. */
  kill(): Promise<void>;
  /** Ctrl-C. */
  stop(): Promise<void>;
}

/** The server itself names its PUBLIC_URL alone, which leads nowhere here. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo; // it listens on TCP
  probe.close();
  await once(probe, "close");
  return port;
}

/** Starts the server on a data folder, at a free port where `settings` name none, and waits until it is ready. */
export async function startServer(dataDir: string, settings: Record<string, string>): Promise<ServerProcess> {
  const { PUBLIC_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const port = settings.PORT ?? String(await findFreePort());
  const child = spawn(process.execPath, ["server/main.ts"], {
    env: {
      ...environment,
      ...settings,
      NODE_ENV: "production",
      FOYER_LAUNCHED: "1",
      FOYER_DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: port,
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
  const ready = new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      output = (output + text).slice(-20_000);
      if (output.includes("Foyer is ready")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`the server is not ready:\n${output}`)), START_TIMEOUT_MS).unref();
  });
  try {
    await ready;
    return { url: `http://127.0.0.1:${port}`, kill: () => end("SIGKILL"), stop: () => end("SIGINT") };
  } catch (error) {
    await end("SIGKILL");
    throw error;
  }
}
