import type { Carrier } from "./carrier.ts";
import type { Handler, Link } from "./link-types.ts";
import { ALL, createPackets, type Entry, type Packet } from "./packets.ts";
import { createQuestions, ProcessGoneError } from "./questions.ts";
import { chooseHome } from "./rendezvous.ts";

interface LinkDeps {
  /** Names the process; letters, digits and hyphens. */
  processId: string;
  carrier: Carrier;
  log: { warn(details: object, message: string): void };
  /** Milliseconds that only grow. */
  clock: () => number;
  /** @returns what ends it */
  every: (ms: number, run: () => void) => () => void;
  /** In tests. */
  gatherMs?: number;
}

const BEAT_MS = 1_000;
/** Who says nothing for so long is gone. */
const SILENT_MS = 3_500;
const CLOSE_MS = 500;
/** Names of processes that were given up. */
const LOST_KEPT = 1_000;

interface Beat {
  isStaying: boolean;
}
interface Peer extends Beat {
  heardAt: number;
}

const firstOf = (names: ReadonlySet<string>): string => names.values().next().value ?? "";

/** Comes in among the others as soon as the carrier is up. */
export function openLink(deps: LinkDeps): Link {
  const { processId, carrier, log, clock, every } = deps;
  let presence = 0;
  let self = `${processId}.${presence}`;
  let isStaying = true;
  let isClosed = false;
  /** Whether this presence is heard: before, nothing is sent and nothing taken. */
  let isIn = false;
  /** Whether the carrier, which is up, refused to let it hear or say something. That was logged, and out it asks again with each beat. */
  let isRefused = false;
  /** The address that is heard. */
  let heard: string | undefined;
  /** Presences of this process that the others haven't been told the end of. */
  const ended: string[] = [];
  let beatAt = clock();
  /** Order of the steps of coming in and going out. */
  let entering: Promise<void> = Promise.resolve();
  const peers = new Map<string, Peer>();
  const handlers = new Map<string, Handler>();
  const questions = createQuestions({ send: (to, kind, body) => queue(to, [kind, body]), log });
  const changeListeners: (() => void)[] = [];
  const goneListeners: ((address: string) => void)[] = [];
  const packets = createPackets({
    ...deps,
    getSelf: () => self,
    onSent(address, count) {
      if (address === ALL) missSome(count);
      else if (count === 0) miss(address);
    },
    // A carrier that is away says so itself, and then everybody is gone. One that refuses has left a gap.
    onRefused(error) {
      if (carrier.isUp) noteRefusal(error);
      if (carrier.isUp) renewLater();
    },
  });

  const tellChange = () => {
    for (const listener of changeListeners) listener();
  };

  /** Given up by this process. Who is on it and merely slow has to come in anew. */
  const lost = new Set<string>();

  function lose(address: string): void {
    if (!peers.delete(address)) return;
    lost.add(address);
    if (lost.size > LOST_KEPT) lost.delete(firstOf(lost));
    packets.forget(address);
    questions.fail(address);
    for (const listener of goneListeners) listener(address);
    tellChange();
  }

  /** Nobody heard what was sent to it: the others look too, so that all agree on who keeps what. */
  function miss(address: string): void {
    if (!peers.has(address)) return;
    lose(address);
    queue(ALL, ["missed", address]);
  }

  /** `heardBy`: so many heard what was sent to all, this process too. Where more are known, each is looked for. */
  function missSome(heardBy: number | undefined): void {
    if (heardBy !== undefined && heardBy <= peers.size) for (const address of peers.keys()) look(address);
  }

  /** It is missed where it doesn't hear that. */
  function look(address: string): void {
    if (peers.has(address)) queue(address, toBeat());
  }

  function loseAll(): void {
    for (const address of [...peers.keys()]) lose(address);
  }

  function queue(address: string, entry: Entry): void {
    if (!isClosed && isIn) packets.queue(address, entry);
  }

  const toBeat = (): Entry => ["alive", { isStaying }];

  function noteRefusal(err: unknown): void {
    if (!isRefused) log.warn({ err }, "the other processes aren't reached");
    isRefused = true;
  }

  let renewal: NodeJS.Timeout | undefined;
  function renewLater(): void {
    renewal ??= setTimeout(() => {
      renewal = undefined;
      if (!isClosed && carrier.isUp) renew();
    }, BEAT_MS).unref();
  }

  /** Nothing that was between them and this presence counts for the next one. */
  function giveUpAll(): void {
    isIn = false;
    loseAll();
    lost.clear();
    packets.clear();
  }

  /** Everybody is given up, here and there, and this process comes in as another one. */
  function renew(): void {
    giveUpAll();
    ended.push(self);
    presence += 1;
    self = `${processId}.${presence}`;
    tellChange(); // whoever keeps addresses has the former one
    enter();
  }

  function enter(): void {
    const address = self;
    entering = entering
      .then(async () => {
        // Overtaken by the next one.
        if (isClosed || isIn || !carrier.isUp || self !== address) return;
        if (heard !== undefined) await carrier.unhear(heard);
        heard = address;
        await carrier.hear(address, (text) => {
          if (self === address) receive(text);
        });
        await carrier.hear(ALL, receive);
        if (isClosed || self !== address) return;
        // Answers may come before the carrier has said that it took this.
        isIn = true;
        const entries = [...ended.map((former): Entry => ["bye", former]), toBeat()];
        await carrier.send(ALL, JSON.stringify({ from: address, entries } satisfies Packet));
        ended.splice(0, entries.length - 1);
        isRefused = false;
        if (self === address) tellChange();
      })
      .catch((error: unknown) => {
        giveUpAll();
        noteRefusal(error);
      });
  }

  function hearBeat(peer: Peer, body: unknown): void {
    const { isStaying: stays } = body as Beat; // see `toBeat`
    if (peer.isStaying === stays) return;
    peer.isStaying = stays;
    tellChange();
  }

  /** Whatever comes from somebody unknown says that they are there, and may say that they are about to stop. */
  function meet({ from, entries }: Packet): Peer {
    const beat = entries.find(([kind]) => kind === "alive")?.[1] as Beat | undefined; // see `toBeat`
    const peer = { heardAt: clock(), isStaying: beat?.isStaying ?? true };
    peers.set(from, peer);
    queue(from, toBeat());
    tellChange();
    return peer;
  }

  function take(from: string, peer: Peer, [kind, body]: Entry): void {
    if (kind === "alive") hearBeat(peer, body);
    else if (kind === "bye") lose(String(body));
    else if (kind === "lost") renew();
    else if (kind === "missed") look(String(body));
    else if (kind === "ask") void questions.reply(from, body);
    else if (kind === "answer") questions.settle(body);
    else handlers.get(kind)?.(body, from);
  }

  function receive(text: string): void {
    try {
      if (isIn) read(text);
    } catch (error) {
      log.warn({ err: error }, "a message of another process could not be read");
    }
  }

  function read(text: string): void {
    const packet = JSON.parse(text) as Packet; // of our own making: nobody else writes to the carrier
    const { from, entries } = packet;
    if (from.startsWith(`${processId}.`)) return;
    if (lost.has(from)) {
      queue(from, ["lost", null]);
      return;
    }
    const peer = peers.get(from) ?? meet(packet);
    peer.heardAt = clock();
    for (const entry of entries) {
      try {
        take(from, peer, entry);
      } catch (error) {
        log.warn({ err: error, kind: entry[0] }, "a message of another process could not be handled");
      }
    }
  }

  function beat(): void {
    const now = clock();
    // Held up itself, it hasn't read yet what the others said meanwhile.
    const isLate = now - beatAt > BEAT_MS * 2;
    beatAt = now;
    queue(ALL, toBeat());
    if (isRefused && carrier.isUp) enter();
    if (isLate) return;
    for (const [address, { heardAt }] of peers) if (now - heardAt > SILENT_MS) lose(address);
  }

  const stopBeat = every(BEAT_MS, beat);
  carrier.onChange((isUp) => {
    if (isClosed) return;
    if (isUp) return renew();
    isIn = false;
    loseAll();
    tellChange();
  });
  if (carrier.isUp) renew();

  function listStaying(): readonly string[] {
    const staying = [...peers].filter(([, peer]) => peer.isStaying).map(([address]) => address);
    if (isStaying) staying.push(self);
    return staying.length > 0 ? staying.sort() : [self];
  }

  return {
    get self() {
      return self;
    },
    get isIn() {
      return isIn;
    },
    findHome: (name) => chooseHome(listStaying(), name),
    list: () => [self, ...peers.keys()].sort(),
    listStaying,
    send(to, kind, body) {
      if (peers.has(to)) queue(to, [kind, body]);
      return peers.has(to);
    },
    sendToAll: (kind, body) => queue(ALL, [kind, body]),
    on: (kind, handler) => void handlers.set(kind, handler),
    ask: (to, kind, value, timeoutMs) =>
      peers.has(to)
        ? questions.ask(to, kind, value, timeoutMs)
        : Promise.reject(new ProcessGoneError(`${to} is gone`)),
    answer: questions.answer,
    onChange: (listener) => void changeListeners.push(listener),
    onGone: (listener) => void goneListeners.push(listener),
    retire() {
      isStaying = false;
      queue(ALL, toBeat());
      tellChange();
    },
    async close() {
      stopBeat();
      clearTimeout(renewal);
      queue(ALL, ["bye", self]);
      isClosed = true;
      isIn = false;
      const bye = packets.flush();
      // What says nothing keeps no process from its end.
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.allSettled([bye, entering]), late]);
      await carrier.close();
    },
  };
}
