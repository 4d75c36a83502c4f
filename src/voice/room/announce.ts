import type { InRoom, LinkPhase, Person, RoomState } from "../call/room-state.ts";
import type { VoiceText } from "../voice-text.tsx";

const byUser = (people: readonly Person[]) => new Map(people.map((person) => [person.user_id, person]));

/** One by name, several as a number. */
function sayOf(
  what: "joined" | "left" | "lost" | "back" | "unreachable",
  people: readonly Person[],
  t: VoiceText,
): string[] {
  const [first] = people;
  if (!first) return [];
  return people.length === 1
    ? [t(`call:say.${what}`, { name: first.display_name })]
    : [t(`call:say.${what}Many`, { count: people.length })];
}

function announceComings(before: InRoom, now: InRoom, { t, mutes, away }: Telling): string[] {
  const [known, present] = [byUser(before.people), byUser(now.people)];
  const came = now.people.filter(({ user_id }) => !known.has(user_id));
  // Nothing was said yet of who comes.
  for (const { user_id } of came) {
    mutes.delete(user_id);
    away.delete(user_id);
  }
  const went = before.people.filter(({ user_id }) => !present.has(user_id));
  return [...sayOf("joined", came, t), ...sayOf("left", went, t)];
}

/** A lost link may be made anew on its way back: who was said to be away is said to be back, whatever came between. */
function announceLinks(before: InRoom, now: InRoom, { t, away }: Telling): string[] {
  const known = byUser(before.people);
  const become = (phase: LinkPhase) =>
    now.people.filter(({ user_id, link }) => link === phase && known.get(user_id)?.link !== phase);
  const lost = become("lost").filter(({ user_id }) => !away.has(user_id));
  const unreachable = become("unreachable");
  const back = become("connected").filter(({ user_id }) => away.delete(user_id));
  for (const { user_id } of [...lost, ...unreachable]) away.add(user_id);
  return [...sayOf("lost", lost, t), ...sayOf("back", back, t), ...sayOf("unreachable", unreachable, t)];
}

/** Who is read out as muted or not any more is not again for so long: else one person could keep a screen reader talking. */
const MUTE_EVERY_MS = 10_000;

function announceMutes(before: InRoom, now: InRoom, { t, mutes, nowMs }: Telling): string[] {
  const known = byUser(before.people);
  const changed = now.people.filter(({ user_id, is_muted }) => {
    const former = known.get(user_id);
    const said = mutes.get(user_id);
    // What is held back is compared with what was said last, so that the end of it is heard.
    const saidIsMuted = said?.isMuted ?? former?.is_muted;
    return former && saidIsMuted !== is_muted && nowMs - (said?.atMs ?? -Infinity) >= MUTE_EVERY_MS;
  });
  for (const { user_id, is_muted } of changed) mutes.set(user_id, { isMuted: is_muted, atMs: nowMs });
  // Many at once are a rule of the room, or a flood: they are seen, not read out.
  if (changed.length > 2) return [];
  return changed.map(({ is_muted, display_name }) =>
    t(is_muted ? "call:say.muted" : "call:say.unmuted", { name: display_name }),
  );
}

function announceOwn(before: InRoom, now: InRoom, { t, isPushToTalk }: Telling): string[] {
  const said: string[] = [];
  // Who holds a key to speak knows, and would be talked over.
  if (before.me.isMuted !== now.me.isMuted && !isPushToTalk)
    said.push(t(now.me.isMuted ? "call:say.youMuted" : "call:say.youUnmuted"));
  if (before.signalling === "connected" && now.signalling !== "connected")
    said.push(t("call:say.reconnecting"));
  if (before.signalling !== "connected" && now.signalling === "connected")
    said.push(t("call:say.reconnected"));
  return said;
}

/** What was said, by the person's number; kept from one telling to the next. */
export interface Said {
  mutes: Map<string, { isMuted: boolean; atMs: number }>;
  /** Whose link was said to be lost, or not to be made. */
  away: Set<string>;
}

interface Telling extends Said {
  t: VoiceText;
  isPushToTalk: boolean;
  nowMs: number;
}

/** What a screen reader says between two states: comings, mutes and connections. What somebody says is heard anyway. */
export function announce(before: RoomState, now: RoomState, telling: Telling): string[] {
  // How a call ended stands in an alert of the screen.
  if (now.phase !== "in" || before.phase !== "in") return [];
  return [
    ...announceComings(before, now, telling),
    ...announceMutes(before, now, telling),
    ...announceLinks(before, now, telling),
    ...announceOwn(before, now, telling),
  ];
}

/** In how many milliseconds something is to be said that is held back; undefined: nothing is. */
export function findHeldBack(now: RoomState, { mutes }: Said, nowMs: number): number | undefined {
  if (now.phase !== "in") return undefined;
  const rests = now.people.flatMap(({ user_id, is_muted }) => {
    const said = mutes.get(user_id);
    return said && said.isMuted !== is_muted ? [said.atMs + MUTE_EVERY_MS - nowMs] : [];
  });
  return rests.length > 0 ? Math.max(0, Math.min(...rests)) : undefined;
}
