import type pg from "pg";
import type { Logger } from "pino";
import type { ContentService } from "#server/content/service.ts";
import type { ChangeFeed } from "#server/db/changes.ts";
import type { Finding } from "#server/health/service.ts";
import type { RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Registry } from "#server/models/registry.ts";
import type { JanusSettings } from "./engine/janus-connection.ts";
import { openJanusEngine } from "./engine/janus-engine.ts";
import type { IceSettings } from "./ice.ts";
import { listIceServers } from "./ice.ts";
import { createLiveVoice, type LiveVoice } from "./live/live.ts";
import { createLiveReads } from "./live/live-reads.ts";
import type { LiveRooms } from "./live/live-rooms.ts";
import { SYSTEM_TIMERS } from "./live/timers.ts";
import { createTellCreator } from "./rooms/tell-creator.ts";
import { createTickets } from "./rooms/ticket.ts";
import { registerVoiceRoutes } from "./routes.ts";

interface OpenVoiceParts {
  pool: pg.Pool;
  registry: Registry;
  content: Pick<ContentService, "create" | "update" | "delete">;
  feed: Pick<ChangeFeed, "announce" | "subscribe" | "subscribeRows">;
  mail: Parameters<typeof createTellCreator>[0]["mail"];
  requireLevel: RequireLevel;
  /** Helpers of connections, each with a secret of its own. */
  ice: readonly IceSettings[];
  /** Signs tickets. */
  secret: Buffer;
  /** What mixes large rooms; undefined: the site has none, and they are not made. */
  janus: (JanusSettings & { key: Buffer }) | undefined;
  log: Logger;
  now: () => Date;
  /** In place of this process's own, for tests of the calls. */
  liveRooms?: LiveRooms | undefined;
}

export interface OpenedVoice extends LiveVoice {
  /** For the health page: what mixes large rooms. Undefined: the site has none. */
  checkEngine: (() => Promise<Finding>) | undefined;
}

/** Voice rooms: their calls, and what the socket needs of them. */
export function openVoice(app: App, parts: OpenVoiceParts): OpenedVoice {
  const { pool, registry, content, feed, mail, ice, janus, log, now } = parts;
  const engine = janus && openJanusEngine({ settings: janus, key: janus.key, log });
  const tickets = createTickets(parts.secret);
  const live = createLiveVoice({
    reads: createLiveReads(pool),
    feed,
    timers: SYSTEM_TIMERS,
    engine,
    isGoodTicket: (ticket, roomId, userId) => tickets.isGood(ticket, roomId, userId, now()),
    listIceServers: (userId) => listIceServers(ice, userId, now()),
    tellCreator: createTellCreator({ pool, mail, now, log }),
    log,
  });
  registerVoiceRoutes(app, {
    parts: {
      pool,
      registry,
      content,
      feed,
      live: parts.liveRooms ?? live,
      hasMixer: janus !== undefined,
      issueTicket: ({ public_id }, { userId }, at) => tickets.issue(public_id, userId, at),
      listIceServers: ({ userId }, at) => listIceServers(ice, userId, at),
      now,
    },
    requireLevel: parts.requireLevel,
  });
  app.addHook("onClose", async () => {
    live.close();
    await engine?.close();
  });
  return { ...live, checkEngine: engine?.check };
}
