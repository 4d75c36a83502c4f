import { randomBytes } from "node:crypto";
import { SOCKET_LIMITS } from "#contract/socket.ts";
import type { SignedIn } from "../base/actor.ts";
import type { ProcessLink } from "./away/homes.ts";
import { openAway } from "./away/open-away.ts";
import { type Channel, type ConnectionParams, createTopicTable } from "./channel.ts";
import { ClientConnection, type ConnectionHost } from "./client-connection.ts";
import { type Identities, type IdentityWatch, type Watched, watchIdentities } from "./identities.ts";
import { findSerializer } from "./serializer.ts";
import type { Admission, Handshake, SocketRules, Sockets } from "./sockets.ts";
import { createTopics } from "./topics.ts";
import { CLOSE } from "./transport.ts";

const DEFAULT_RULES: SocketRules = {
  ...SOCKET_LIMITS,
  longPollWindowMs: 10_000,
  presenceWindowMs: 50,
  drainTimeoutMs: 1500,
};

/** Query parameters that are secrets or the protocol's own. */
const HIDDEN_PARAMS: ReadonlySet<string> = new Set(["token", "access_token", "vsn"]);

interface SocketsDeps {
  channels: readonly Channel[];
  /** Whom a token belongs to. Called after everything that can be refused without it. */
  connect(request: {
    token: string | undefined;
    params: ConnectionParams;
  }): SignedIn | undefined | Promise<SignedIn | undefined>;
  /** Asked when the client names an origin: browsers do, others need not. `host` is what the request came to. */
  isOriginAllowed(origin: string, host: string | undefined): boolean;
  identities?: Identities;
  rules?: Partial<SocketRules>;
  log: {
    error(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** The other processes of the site; undefined: there are none. */
  link?: ProcessLink | undefined;
  /** Milliseconds, only ever growing. */
  clock?: () => number;
}

/** Opens the Phoenix-protocol server of this process; transports are registered apart. */
export function createSockets(deps: SocketsDeps): Sockets {
  const { channels, connect, isOriginAllowed, identities, log, link } = deps;
  const rules: SocketRules = { ...DEFAULT_RULES, ...deps.rules };
  const topics = createTopics(randomBytes(6).toString("base64url"), rules.presenceWindowMs);
  const findChannel = createTopicTable(channels);
  const connections = new Set<ClientConnection>();
  const byUser = new Map<number, Set<ClientConnection>>();
  const noticeCounts = new WeakMap<Admission, number>();
  let isDraining = false;

  const away = openAway({
    ...{ link, topics, rules, findChannel, log },
    onMove() {
      for (const connection of connections) connection.followHomes();
    },
  });

  const host: ConnectionHost = {
    rules,
    topics,
    log,
    clock: deps.clock ?? (() => performance.now()),
    findChannel,
    isKeptHere: away.isKeptHere,
    openAway: away.open,
    onEnd(connection) {
      connections.delete(connection);
      const { userId } = connection.person;
      const others = byUser.get(userId);
      others?.delete(connection);
      if (others?.size === 0) byUser.delete(userId);
    },
  };

  const toWatched = (connection: ClientConnection): Watched => ({
    person: connection.person,
    changePerson: (person) => connection.changePerson(person),
    disconnect: () => connection.close(CLOSE.disconnected),
  });

  const watch: IdentityWatch | undefined =
    identities &&
    watchIdentities({
      identities,
      log,
      *list(userIds) {
        for (const connection of connections)
          if (!userIds || userIds.has(connection.person.userId)) yield toWatched(connection);
      },
    });

  function toParams(query: URLSearchParams): ConnectionParams {
    return Object.fromEntries([...query].filter(([name]) => !HIDDEN_PARAMS.has(name)));
  }

  return {
    rules,
    get isDraining() {
      return isDraining;
    },
    admit({ query, headers, authToken }: Handshake) {
      const { origin } = headers;
      const serializer = findSerializer(query.get("vsn"));
      if (isDraining || !serializer) return undefined;
      if (origin !== undefined && !isOriginAllowed(origin, headers.host)) return undefined;
      // Foyer's own client sends it where no proxy logs it. The specification (B, section 7) names it among the parameters too, and
      // phoenix.js before 1.8 has no other place; Foyer's own log leaves queries out.
      const token = authToken ?? query.get("token") ?? query.get("access_token") ?? undefined;
      const params = toParams(query);
      const noticeCount = watch?.noticeCount ?? 0;
      const toAdmission = (person: SignedIn | undefined): Admission | undefined => {
        if (!person || isDraining) return undefined;
        if ((byUser.get(person.userId)?.size ?? 0) >= rules.maxConnectionsPerPerson) return undefined;
        const admission = { person, params, serializer };
        noticeCounts.set(admission, noticeCount);
        return admission;
      };
      const found = connect({ token, params });
      return found instanceof Promise ? found.then(toAdmission) : toAdmission(found);
    },
    open(admission, transport) {
      const connection = new ClientConnection(host, admission, transport);
      const { userId } = admission.person;
      connections.add(connection);
      byUser.set(userId, (byUser.get(userId) ?? new Set()).add(connection));
      // Somebody may have been signed out between the two.
      if (watch && noticeCounts.get(admission) !== watch.noticeCount) watch.check(userId);
      return connection;
    },
    signal: (topic, event, payload, key) =>
      away.publish(topic, { event, payload, isSignal: true, ...(key !== undefined && { only: key }) }),
    broadcast: (topic, event, payload) => away.publish(topic, { event, payload }),
    count() {
      let joined = 0;
      for (const connection of connections) joined += connection.countMembers();
      return { connections: connections.size, channels: joined };
    },
    drain() {
      isDraining = true;
      const open = [...connections].map((connection) => ({
        connection,
        isJoined: connection.isInUse,
      }));
      // Who is connected to another process and joined here is sent on. Not earlier, when DRAIN_SECONDS begin: topics are handed on all at
      // once, and whoever is connected here would come back twice, to the new home and then from the close.
      link?.retire();
      topics.silence();
      for (const { connection, isJoined } of open) connection.close(isJoined ? CLOSE.restart : CLOSE.normal);
    },
    close: () => watch?.close(),
  };
}
