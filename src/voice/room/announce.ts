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

function announceComings(before: InRoom, now: InRoom, t: VoiceText): string[] {
  const [known, present] = [byUser(before.people), byUser(now.people)];
  const came = now.people.filter(({ user_id }) => !known.has(user_id));
  const went = before.people.filter(({ user_id }) => !present.has(user_id));
  return [...sayOf("joined", came, t), ...sayOf("left", went, t)];
}

function announceLinks(before: InRoom, now: InRoom, t: VoiceText): string[] {
  const known = byUser(before.people);
  const find = (from: LinkPhase, to: LinkPhase) =>
    now.people.filter(({ user_id, link }) => link === to && known.get(user_id)?.link === from);
  const unreachable = now.people.filter(
    ({ user_id, link }) => link === "unreachable" && known.get(user_id)?.link !== "unreachable",
  );
  return [
    ...sayOf("lost", find("connected", "lost"), t),
    ...sayOf("back", find("lost", "connected"), t),
    ...sayOf("unreachable", unreachable, t),
  ];
}

/** Who is read out as muted or not any more is not again for so long: else one person could keep a screen reader talking. */
const MUTE_EVERY_MS = 10_000;

function announceMutes(before: InRoom, now: InRoom, { t, mutesSaidAt, nowMs }: Telling): string[] {
  const known = byUser(before.people);
  const changed = now.people.filter(({ user_id, is_muted }) => {
    const former = known.get(user_id);
    const saidAt = mutesSaidAt.get(user_id) ?? Number.NEGATIVE_INFINITY;
    return former && former.is_muted !== is_muted && nowMs - saidAt >= MUTE_EVERY_MS;
  });
  // Many at once are a rule of the room, or a flood: they are seen, not read out.
  if (changed.length > 2) return [];
  for (const { user_id } of changed) mutesSaidAt.set(user_id, nowMs);
  return changed.map(({ is_muted, display_name }) =>
    t(is_muted ? "call:say.muted" : "call:say.unmuted", { name: display_name }),
  );
}

function announceOwn(before: InRoom, now: InRoom, t: VoiceText): string[] {
  const said: string[] = [];
  if (before.me.isMuted !== now.me.isMuted)
    said.push(t(now.me.isMuted ? "call:say.youMuted" : "call:say.youUnmuted"));
  if (before.signalling === "connected" && now.signalling !== "connected")
    said.push(t("call:say.reconnecting"));
  if (before.signalling !== "connected" && now.signalling === "connected")
    said.push(t("call:say.reconnected"));
  return said;
}

interface Telling {
  t: VoiceText;
  /** By the person's number; kept from one telling to the next. */
  mutesSaidAt: Map<string, number>;
  nowMs: number;
}

/** What a screen reader says between two states: comings, mutes and connections. What somebody says is heard anyway. */
export function announce(before: RoomState, now: RoomState, telling: Telling): string[] {
  const { t } = telling;
  // How a call ended stands in an alert of the screen.
  if (now.phase !== "in" || before.phase !== "in") return [];
  return [
    ...announceComings(before, now, t),
    ...announceMutes(before, now, telling),
    ...announceLinks(before, now, t),
    ...announceOwn(before, now, t),
  ];
}

/** How a call ended, as texts. */
export const ENDINGS = {
  left: "call:over.left",
  replaced: "call:over.replaced",
  removed: "call:over.removed",
  banned: "call:over.banned",
  room_closed: "call:over.roomClosed",
} as const;
