import type { Participant } from "#contract/voice/room-channel.ts";
import type { LinkPhase } from "../room-state.ts";
import { toSeat } from "../test-call.ts";
import type { LinksDeps } from "./links.ts";
import { Mesh } from "./mesh.ts";
import type { LinkDeps } from "./peer-connection.ts";
import type { PeerLink } from "./peer-link.ts";

interface TestLink {
  phase: LinkPhase;
  epoch: number;
  readonly isAlive: boolean;
  played: { level: number; rtpTimestamp: number } | undefined;
  deps: Omit<LinkDeps, "createConnection">;
}

/** Person 5's mesh over links that record the calls to them, in a time that stands still. */
export function createTestMesh() {
  const clock = { now: 0 };
  const calls: string[] = [];
  const hearing: (readonly string[])[] = [];
  const links = new Map<string, TestLink>();
  const blocked = new Set<string>();
  const muted = new Set<string>();
  const voices: Record<string, { volume: number; isSilenced: boolean; isClosed: boolean }> = {};
  const speaker = { isRunning: true, play: (track: string) => createVoice(track) };
  /** A track is named by whose it is. */
  function createVoice(track: string) {
    const voice = { volume: 1, isSilenced: false, isClosed: false };
    voices[track] = voice;
    return {
      setVolume: (volume: number) => Object.assign(voice, { volume }),
      setSilenced: (isSilenced: boolean) => Object.assign(voice, { isSilenced }),
      close: () => Object.assign(voice, { isClosed: true }),
    };
  }
  const deps: Partial<LinksDeps> = {
    settings: () => ({ iceServers: [], isRelayOnly: false, certificate: undefined, maxBitrate: 32_000 }),
    track: () => null,
    // All that a mesh asks of it.
    speaker: speaker as unknown as LinksDeps["speaker"],
    send: ({ event, target_user_id }) => calls.push(`${event} to ${target_user_id}`),
    onLink: () => undefined,
    onHearing: (userIds) => hearing.push(userIds),
    volumeOf: () => 0.5,
    isMutedForMe: (userId) => muted.has(userId),
    isBlocked: (userId) => blocked.has(userId),
    now: () => clock.now,
    createLink(linkDeps) {
      const link: TestLink = {
        phase: "none",
        epoch: linkDeps.firstEpoch ?? 0,
        played: undefined,
        deps: linkDeps,
        get isAlive() {
          return link.phase === "connected" || link.phase === "lost";
        },
      };
      const name = `link ${links.size + 1}`;
      const record = (what: string) => () => calls.push(`${name} ${what}`);
      links.set(name, link);
      return Object.assign(link, {
        getPlayed: () => link.played,
        take: ({ event }: { event: string }) => calls.push(`${name} takes ${event}`),
        ...Object.fromEntries(
          ["connect", "expect", "lookAgain", "lose", "found", "close"].map((what) => [what, record(what)]),
        ),
      }) as unknown as PeerLink;
    },
  };
  const mesh = new Mesh(deps as LinksDeps);
  const getLink = (number: number) => {
    const link = links.get(`link ${number}`);
    if (!link) throw new Error(`there is no link ${number}`);
    return link;
  };
  return {
    mesh,
    clock,
    blocked,
    muted,
    speaker,
    voices,
    getLink,
    takeCalls: () => calls.splice(0),
    takeHearing: () => hearing.splice(0),
    takeRoster: (others: Participant[], isBack = false, own = toSeat("5"), isPartial = false) =>
      mesh.takeRoster([...others, own], own.id, isBack, isPartial),
    /** The link stands, and its sound is played. */
    connect(number: number, userId: string) {
      const link = getLink(number);
      link.phase = "connected";
      link.deps.onTrack(userId as unknown as MediaStreamTrack);
    },
  };
}
