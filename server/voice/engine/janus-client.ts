import type { Logger } from "pino";
import {
  JanusConnection,
  JanusError,
  type JanusMessage,
  type JanusSettings,
  type PluginData,
} from "./janus-connection.ts";

/** A description as Janus takes it. */
export interface Jsep {
  type: "offer" | "answer";
  sdp: string;
}

/** One participant's place at the plugin. */
export interface JanusHandle {
  /** @throws JanusError where the plugin refuses, doesn't answer, or the handle is gone. */
  ask(body: object, jsep?: Jsep): Promise<{ data: PluginData; jsep: Jsep | undefined }>;
  trickle(candidate: object): void;
  /** Ends its connection and its part in any room. Never rejects: what is gone is gone. */
  detach(): Promise<void>;
}

export interface JanusClient {
  /** Whether requests are taken now. */
  readonly isUp: boolean;
  /** Why not, by the last try. */
  readonly fault: Error | undefined;
  /** Resolves once it is up, or with false behind `ms`. */
  waitUntilUp(ms: number): Promise<boolean>;
  /** A request that is about no participant: rooms. @throws JanusError */
  ask(body: object): Promise<PluginData>;
  /** @throws JanusError. `onHangup`: Janus has ended the connection of its browser. */
  attach(onHangup: () => void): Promise<JanusHandle>;
  /** Asks for a sign of life. @throws JanusError */
  ping(): Promise<void>;
  close(): void;
}

export interface JanusClientDeps extends JanusSettings {
  plugin: string;
  /** A session was made: the first one, or another one behind a loss, when everything that Janus knew is gone. */
  onUp: () => void;
  log: Pick<Logger, "info" | "warn">;
  /** Tests wait for less. */
  times?: Partial<JanusTimes>;
}

interface JanusTimes {
  askMs: number;
  keepaliveMs: number;
  /** Before a lost connection is opened again; the last one repeats. */
  retryMs: readonly number[];
}

/** Janus forgets a session that was silent for 60 s. */
const TIMES: JanusTimes = {
  askMs: 10_000,
  keepaliveMs: 25_000,
  retryMs: [100, 250, 500, 1000, 2000, 5000],
};

interface Session {
  connection: JanusConnection;
  id: number;
  /** The handle of `JanusClient.ask`. */
  ownHandle: number;
  onHangup: Map<number, () => void>;
  keepalive: ReturnType<typeof setInterval>;
}

/** A session with one plugin of a Janus, held for as long as this client is open: a lost one is made anew, without what it knew. */
export function openJanusClient(deps: JanusClientDeps): JanusClient {
  const { plugin, log } = deps;
  const times = { ...TIMES, ...deps.times };
  let session: Session | undefined;
  let fault: Error | undefined;
  let isClosed = false;
  let tries = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<(isUp: boolean) => void>();

  const requireSession = (): Session => {
    if (!session) throw new JanusError("not connected");
    return session;
  };

  async function openSession(): Promise<Session> {
    const onHangup = new Map<number, () => void>();
    let isGone = false;
    const connection = await JanusConnection.open(deps, {
      askMs: times.askMs,
      onMessage: (message) => follow(onHangup, message),
      onClosed() {
        isGone = true;
        lose(connection);
      },
    });
    try {
      const id = requireId(await connection.ask({ janus: "create" }));
      const attached = await connection.ask({ janus: "attach", session_id: id, plugin });
      if (isGone) throw new JanusError("the connection is gone");
      const keepalive = setInterval(() => void keepAlive(connection, id), times.keepaliveMs);
      return { connection, id, ownHandle: requireId(attached), onHangup, keepalive };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** A connection that is dead and was never closed is found by it. */
  async function keepAlive(connection: JanusConnection, id: number): Promise<void> {
    try {
      await connection.ask({ janus: "keepalive", session_id: id }, true);
    } catch {
      connection.close();
    }
  }

  async function connect(): Promise<void> {
    try {
      const opened = await openSession();
      if (isClosed) {
        drop(opened);
        return;
      }
      session = opened;
      fault = undefined;
      tries = 0;
      log.info({ url: deps.url }, "the audio engine is there");
      for (const notify of [...waiting]) notify(true);
      deps.onUp();
    } catch (error) {
      // Once for each fault: it goes on trying.
      if (fault?.message !== (error as Error).message)
        log.warn({ err: error, url: deps.url }, "the audio engine can't be reached");
      fault = error as Error;
      tryAgain();
    }
  }

  function tryAgain(): void {
    if (isClosed) return;
    const ms = times.retryMs[Math.min(tries, times.retryMs.length - 1)];
    tries += 1;
    retry = setTimeout(() => void connect(), ms);
    retry.unref();
  }

  function drop({ connection, keepalive }: Session): void {
    clearInterval(keepalive);
    connection.close();
  }

  function lose(connection: JanusConnection): void {
    if (session?.connection !== connection) return;
    drop(session);
    session = undefined;
    fault = new JanusError("the connection is gone");
    if (!isClosed) log.warn({ url: deps.url }, "the audio engine is gone");
    tryAgain();
  }

  function follow(onHangup: Session["onHangup"], { janus, sender }: JanusMessage): void {
    if (sender !== undefined && (janus === "hangup" || janus === "detached")) onHangup.get(sender)?.();
    // The session is over for Janus, which keeps the connection: everything begins anew.
    else if (janus === "timeout" && session?.onHangup === onHangup) session.connection.close();
  }

  function toHandle({ connection, id, onHangup }: Session, handleId: number): JanusHandle {
    const at = { session_id: id, handle_id: handleId };
    return {
      async ask(body, jsep) {
        const answer = await connection.ask({ janus: "message", ...at, body, ...(jsep && { jsep }) });
        return { data: answer.plugindata?.data ?? {}, jsep: answer.jsep as Jsep | undefined };
      },
      trickle: (candidate) => connection.sendOnly({ janus: "trickle", ...at, candidate }),
      async detach() {
        onHangup.delete(handleId);
        await connection.ask({ janus: "detach", ...at }).catch(() => undefined);
      },
    };
  }

  void connect();
  return {
    get isUp() {
      return session !== undefined;
    },
    get fault() {
      return fault;
    },
    waitUntilUp(ms) {
      if (session || isClosed) return Promise.resolve(session !== undefined);
      return new Promise((resolve) => {
        const end = (isUp: boolean) => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve(isUp);
        };
        const timer = setTimeout(end, ms, false);
        waiting.add(end);
      });
    },
    async ask(body) {
      const own = requireSession();
      return (await toHandle(own, own.ownHandle).ask(body)).data;
    },
    async attach(onHangup) {
      const own = requireSession();
      const answer = await own.connection.ask({ janus: "attach", session_id: own.id, plugin });
      const handleId = requireId(answer);
      own.onHangup.set(handleId, onHangup);
      return toHandle(own, handleId);
    },
    async ping() {
      const { connection, id } = requireSession();
      await connection.ask({ janus: "keepalive", session_id: id }, true);
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      for (const notify of [...waiting]) notify(false);
      if (!session) return;
      // Janus ends the session, and all connections of browsers in it, with the connection.
      drop(session);
      session = undefined;
    },
  };
}

function requireId({ data }: JanusMessage): number {
  if (!data) throw new JanusError("an answer without an id");
  return data.id;
}
