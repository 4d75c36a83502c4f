import type { ContentService } from "../content/service.ts";
import type { Floor } from "../floor.ts";
import type { Finding } from "../health/service.ts";
import type { RequireLevel } from "../http/bearer.ts";
import type { App } from "../http/zod.ts";
import { createHomes } from "../socket/away/homes.ts";
import type { LiveRooms, VoiceDeps } from "./deps.ts";
import type { JanusSettings } from "./engine/janus-connection.ts";
import { openJanusEngine } from "./engine/janus-engine.ts";
import { type IceSettings, listIceServers } from "./ice.ts";
import { createLiveReads } from "./live/changes.ts";
import { createLiveVoice, type LiveVoice } from "./live/live.ts";
import { registerModerationRoutes } from "./moderation/moderation-routes.ts";
import { createNotifyCreator, createTickets } from "./rooms/entry.ts";
import { registerRoomRoutes } from "./rooms/room-routes.ts";
import { SYSTEM_TIMERS } from "./timing.ts";

export interface VoiceOptions {
  /** STUN and TURN, each with a secret of its own; without them people behind strict firewalls may not reach each other. */
  ice?: readonly IceSettings[];
  /** Mixes the sound of rooms with more than twelve seats; without it they aren't made. */
  janus?: JanusSettings | undefined;
  /** In place of this process's own, for tests of the calls. */
  liveRooms?: LiveRooms;
}

interface OpenVoiceDeps extends VoiceOptions {
  content: Pick<ContentService, "create" | "update" | "delete">;
  mail: Parameters<typeof createNotifyCreator>[0]["mail"];
}

export interface OpenedVoice extends LiveVoice {
  /** For the health page: what mixes large rooms. Undefined: the site has none. */
  checkEngine: (() => Promise<Finding>) | undefined;
}

/** Voice rooms: their calls, and what the socket needs of them. */
export function openVoice(app: App, floor: Floor, deps: OpenVoiceDeps): OpenedVoice {
  const { pool, registry, feed, requireLevel, deriveSecrets, ofSecrets, log, now, cluster } = floor;
  const { content, mail, ice = [], janus } = deps;
  const engine = janus && openJanusEngine({ settings: janus, key: deriveSecrets("voice engine")[0], log });
  const tickets = ofSecrets("voice tickets", createTickets);
  const live = createLiveVoice({
    reads: createLiveReads(pool),
    feed,
    timers: SYSTEM_TIMERS,
    engine,
    isGoodTicket: (ticket, roomId, userId) => tickets.isGood(ticket, roomId, userId, now()),
    listIceServers: (userId) => listIceServers(ice, userId, now()),
    notifyCreator: createNotifyCreator({ pool, mail, now, log }),
    log,
    processes: cluster && { link: cluster.link, homes: createHomes(cluster.link) },
  });
  registerVoiceRoutes(app, {
    deps: {
      pool,
      registry,
      content,
      feed,
      live: deps.liveRooms ?? live,
      hasMixer: janus !== undefined,
      issueTicket: ({ public_id }, { userId }, at) => tickets.issue(public_id, userId, at),
      listIceServers: ({ userId }, at) => listIceServers(ice, userId, at),
      now,
    },
    requireLevel,
  });
  app.addHook("onClose", async () => {
    live.close();
    await engine?.close();
  });
  return { ...live, checkEngine: engine?.check };
}

/** The voice API beside people and accounts, which have their own (specification B section 7). */
function registerVoiceRoutes(app: App, given: { deps: VoiceDeps; requireLevel: RequireLevel }): void {
  registerRoomRoutes(app, given);
  registerModerationRoutes(app, given);
}
