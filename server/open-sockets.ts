import { SOCKET_PATH } from "#contract/socket.ts";
import type { AccountService } from "./accounts/service.ts";
import { createIdentities } from "./accounts/sessions/socket-identities.ts";
import { toSessionRules } from "./accounts/sessions/store.ts";
import { createLiveChannel } from "./content/live/live-channel.ts";
import { createLiveEvents } from "./content/live/live-events.ts";
import { cutConnectionsOnClose } from "./create-server.ts";
import type { Floor } from "./floor.ts";
import { isOwnOrigin } from "./http/request.ts";
import type { App } from "./http/zod.ts";
import type { Channel } from "./socket/channel.ts";
import { createSockets } from "./socket/create-sockets.ts";
import type { Sockets } from "./socket/sockets.ts";
import { registerSockets } from "./socket/transports/register-sockets.ts";
import type { LiveVoice } from "./voice/live/live.ts";

export interface SocketOptions {
  /** Beside those of the product. */
  channels?: readonly Channel[];
}

interface SocketDeps extends SocketOptions {
  accounts: Pick<AccountService, "authenticate">;
  voice: Pick<LiveVoice, "channels" | "connect">;
}

/**
 * The socket of the site. A client is the person whom its access token names: it is verified first, without the database; then its
 * session is looked up.
 */
export async function openSockets(app: App, floor: Floor, deps: SocketDeps): Promise<Pick<Sockets, "count">> {
  const { config, log, now, cluster } = floor;
  const { accounts, voice } = deps;
  const identities = createIdentities({
    ...floor,
    clock: () => now().getTime(),
    rules: toSessionRules(config),
    factorLevel: config.secondFactorLevel,
  });
  const live = createLiveEvents({ ...floor, settled: identities.settled });
  const sockets = createSockets({
    channels: [createLiveChannel(live), ...voice.channels, ...(deps.channels ?? [])],
    connect: ({ token }) => (token === undefined ? undefined : accounts.authenticate(token)),
    isOriginAllowed: (origin, host) => isOwnOrigin(origin, host, config.publicUrl),
    identities,
    log,
    link: cluster?.link,
  });
  // Rooms speak to their members from outside of any channel: a moderator's call, a change in the database.
  voice.connect(sockets);
  app.addHook("onClose", async () => {
    live.close();
    sockets.close();
  });
  await registerSockets(app, {
    path: SOCKET_PATH,
    sockets,
    trustProxy: config.trustProxy,
    link: cluster?.link,
  });
  // Behind the sockets, which notify their people first.
  cutConnectionsOnClose(app);
  return sockets;
}
