import type * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  type JoinAnswer,
  type JoinDetail,
  ROOM_SENDS,
  toRoomTopic,
  VOICE_PROTOCOL,
} from "#contract/voice/room-channel.ts";
import { formerSeat, joinPayload, ROOM_EVENTS } from "#contract/voice/room-events.ts";
import {
  accept,
  type Channel,
  declareChannel,
  fail,
  type JoinRequest,
  type LeaveReason,
  ok,
  refuse,
  stop,
} from "#server/socket/channel.ts";
import { toPresenceState } from "#server/socket/presence.ts";
import { ROOM_ADDRESS } from "../rooms/room-address.ts";
import type { Entry } from "../rooms/room-store.ts";
import { canModerate } from "../rooms/rooms.ts";
import { Budgets, JOINS_OF_ONE, type Rate, type Timers } from "../timing.ts";
import type { LiveRoom } from "./live-room.ts";
import {
  change,
  type RoomMember,
  readMicrophone,
  relayAnswer,
  relayCandidate,
  relayOffer,
  type Sitting,
  say,
  takeSignal,
} from "./room-messages.ts";
import {
  areApart,
  type Seat,
  type SeatPerson,
  type SeatStore,
  toParticipant,
  toSeatRequest,
} from "./seats.ts";

/** Joins of one person to one room: a bad network brings a browser back a few times in a moment, and a refused one tries again. */
const JOINS_OF_ROOM: Rate = { burst: 10, perS: 0.5 };

export interface RoomChannelDeps {
  seats: SeatStore;
  /** By a room's public id, never by its slug. */
  findEntry(roomId: string, userId: number): Promise<Entry | undefined>;
  describe(userId: number): Promise<SeatPerson | undefined>;
  timers: Timers;
  /** Seats of the room for this person: those that others come back to are none. */
  countSeats(row: Entry["room"], userId: number): number;
  /** Ends a seat that somebody is about to take who was removed while the room moved. @returns false: they weren't */
  turnOut(room: LiveRoom, seat: Seat): boolean;
  isGoodTicket(ticket: string, roomId: string, userId: number): boolean;
  listIceServers(userId: number): { ice_servers: JoinAnswer["ice_servers"]; expires_at: string | null };
  /** Whether what mixes rooms can be reached: it may be waited for. */
  isEngineReachable(): Promise<boolean>;
  /** The room as it is now, made where nobody was in it. */
  open(row: Entry["room"]): LiveRoom;
  toAnswer(room: LiveRoom): JoinAnswer["room"];
  /** Somebody sits down who had reserved a seat. */
  reservationTaken(seat: Seat): void;
  /** Somebody has come in, for the first time or with another tab. `isFirst`: nobody was there, nor had they been themselves. */
  entered(room: LiveRoom, seat: Seat, isFirst: boolean): void;
  /** How often something was written that may end or silence a seat. */
  countChanges(): number;
  /** Something was written while the join was on its way: does it still hold? */
  lookAgain(room: LiveRoom, seat: Seat): void;
}

type Wanted = z.infer<typeof joinPayload>;

const turnAway = (detail: JoinDetail) =>
  refuse(detail === "banned" || detail === "ticket" ? "unauthorized" : "failed_to_join_room", detail);

/** What stands against a join, before a seat is asked for. */
function findObstacle({ room, isBanned }: Entry): JoinDetail | undefined {
  if (isBanned) return "banned";
  return room.is_active ? undefined : "closed";
}

/** `voice:room:{id}` (specification B section 7): who is in a room, and what their browsers say to each other. */
export function createRoomChannel(deps: RoomChannelDeps): Channel {
  const { seats } = deps;
  const joins = new Budgets(deps.timers);

  /** The person's own comes first: they may name as many rooms as they like, and each would have a budget of its own. */
  function takeJoin(userId: number, roomId: string): boolean {
    return joins.take(`${userId}`, JOINS_OF_ONE) && joins.take(`${userId} ${roomId}`, JOINS_OF_ROOM);
  }

  async function takeSeat(
    entry: Entry,
    person: SeatPerson,
    wanted: Wanted,
  ): Promise<Omit<Sitting, "changesBefore"> | undefined> {
    const { room: row, isSilenced } = entry;
    const room = deps.open(row);
    const { data: claimed } = formerSeat.safeParse(wanted.seat);
    // Ids are known to everybody in the room: another's can't be claimed.
    const isTaken = seats
      .list(row.public_id)
      .some(({ id, person: { userId } }) => id === claimed?.id && userId !== person.userId);
    const before = isTaken ? undefined : claimed;
    const apartFrom: ReadonlySet<number> = new Set([...entry.blocked, ...entry.blockedBy]);
    const former = seats.find(row.public_id, person.userId);
    const isMuted = wanted.is_muted ?? row.auto_mute_on_join;
    if (former?.isOnRoster && former.id === before?.id) {
      former.person = person;
      former.apartFrom = apartFrom;
      former.state = { ...former.state, isMuted, isSilenced };
      return { room, seat: former, isResumed: true, isReturn: true };
    }
    const request = toSeatRequest({
      ...{ roomId: row.public_id, person, apartFrom, isMuted, isSilenced },
      former: before,
    });
    const seat = await seats.take(request, deps.countSeats(row, person.userId));
    return seat && { room, seat, isResumed: false, isReturn: before !== undefined };
  }

  /** A mix's engine may be waited for: what stands against the join is read behind that. */
  async function findRoom(roomId: string, userId: number): Promise<{ entry?: Entry; hasSound: boolean }> {
    const entry = await deps.findEntry(roomId, userId);
    if (entry?.room.engine !== "mix") return { ...(entry && { entry }), hasSound: true };
    const hasSound = await deps.isEngineReachable();
    const later = await deps.findEntry(roomId, userId);
    return { ...(later && { entry: later }), hasSound };
  }

  async function join({ params, person, payload }: JoinRequest) {
    const roomId = params.room ?? "";
    if (!ROOM_ADDRESS.test(roomId)) return refuse("room_not_found");
    if (person.level < ACCESS_LEVEL.user) return refuse("unauthorized");
    if (!takeJoin(person.userId, roomId)) return refuse("too_many_messages");
    const { data: wanted = {} } = joinPayload.safeParse(payload);
    const changesBefore = deps.countChanges();
    const [{ entry, hasSound }, described] = await Promise.all([
      findRoom(roomId, person.userId),
      deps.describe(person.userId),
    ]);
    if (!entry) return refuse("room_not_found");
    if (!described) return refuse("unauthorized");
    if (wanted.ticket !== undefined && !deps.isGoodTicket(wanted.ticket, roomId, person.userId))
      return turnAway("ticket");
    const obstacle = findObstacle(entry);
    if (obstacle) return turnAway(obstacle);
    if (!hasSound) return turnAway("engine");
    const sitting = await takeSeat(entry, described, wanted);
    if (!sitting) return turnAway("full");
    const { ice_servers, expires_at } = deps.listIceServers(person.userId);
    const answer: JoinAnswer = {
      participant_id: sitting.seat.id,
      room: deps.toAnswer(sitting.room),
      ice_servers,
      ice_expires_at: expires_at,
      can_moderate: canModerate(person, entry.room),
    };
    return accept<Sitting>({ ...sitting, changesBefore }, { response: answer });
  }

  function joined(member: RoomMember): void {
    const { room, seat, isResumed, isReturn, changesBefore } = member.state;
    if (deps.turnOut(room, seat)) return;
    const isFirst = !isReturn && room.listRoster().length === 0;
    const wasThere = seat.isOnRoster;
    const before = seat.memberId;
    room.holdOn(seat);
    const former = seats.sit(seat, member.id);
    if (former && !former.isOnRoster) deps.reservationTaken(seat);
    const gone = former && leaveTo(room, former);
    // Another tab, or a connection of this one that is not known to be lost yet.
    if (gone || before !== undefined) room.signal("replaced", { by: member.id }, seat.person.userId);
    publishApart(member);
    member.push("roster_snapshot", room.toRoster());
    const texts = room.texts.list().filter(({ user_id }) => !seat.apartFrom.has(Number(user_id)));
    if (texts.length > 0) member.push("texts", { texts });
    if (isResumed && wasThere) room.seatChanged(seat);
    else announce(member, gone);
    // No name: it may change, or be hidden, while presence stands.
    member.track({ user_id: String(seat.person.userId) });
    member.pushPresenceState();
    member.push("presence_snapshot", toPresenceState(member.listPresence()));
    if (!isResumed) deps.entered(room, seat, isFirst);
    if (changesBefore !== deps.countChanges()) deps.lookAgain(room, seat);
  }

  /** Before the newcomer is published: no link is begun that is not to be. */
  function publishApart(member: RoomMember): void {
    const { room, seat } = member.state;
    const user_ids = room.renewApart(seat);
    if (user_ids) member.push("apart", { user_ids });
    for (const other of room.listRoster()) if (areApart(seat, other)) room.publishApart(other);
  }

  /** @returns what is published of a seat that another one of the same person replaces, where others know of it. */
  function leaveTo(room: LiveRoom, former: Seat): { id: string; user_id: string } | undefined {
    const { isOnRoster, id, person } = former;
    room.forget(former);
    former.isOnRoster = false;
    former.memberId = undefined;
    return isOnRoster ? { id, user_id: String(person.userId) } : undefined;
  }

  function announce(member: RoomMember, gone: ReturnType<typeof leaveTo>): void {
    const newcomer = toParticipant(member.state.seat);
    if (gone) member.broadcastFrom("participant_left", gone);
    member.broadcastFrom("participant_joined", newcomer);
    member.broadcastFrom("roster_update", { added: [newcomer], ...(gone && { removed: [gone] }) });
  }

  function left(member: RoomMember, why: LeaveReason): void {
    const { room, seat } = member.state;
    if (seat.memberId === undefined) {
      // Never sat down: the connection was gone before the answer.
      if (!seat.isOnRoster) room.free(seat);
      return;
    }
    if (seat.memberId !== member.id) return;
    seat.memberId = undefined;
    if (why === "left" || why === "closed" || why === "unseen") room.free(seat);
    else room.keep(seat);
  }

  return declareChannel({
    topic: toRoomTopic("{room}"),
    isHomed: true,
    sends: ROOM_SENDS,
    join,
    joined,
    left,
    mayStay: ({ person }) => person.level >= ACCESS_LEVEL.user,
    signalled: takeSignal,
    events: {
      join: { schema: ROOM_EVENTS.join, handle: () => ok() },
      leave: { schema: ROOM_EVENTS.leave, handle: () => stop({ reply: ok() }) },
      ready: {
        schema: ROOM_EVENTS.ready,
        handle(member, { protocol_version, devices }) {
          if (protocol_version !== VOICE_PROTOCOL) return fail("unsupported_version");
          const { room, seat } = member.state;
          if (!seat.isOnRoster) return fail("not_participant");
          const wasReady = seat.state.isReady;
          seat.state.isReady = true;
          seat.state.hasMicrophone = readMicrophone(devices);
          if (!wasReady) member.broadcastFrom("participant_ready", { user_id: String(seat.person.userId) });
          room.seatChanged(seat);
          return ok();
        },
      },
      mute: {
        schema: ROOM_EVENTS.mute,
        handle: (member) => change(member, { isMuted: true, isSpeaking: false }),
      },
      unmute: { schema: ROOM_EVENTS.unmute, handle: (member) => change(member, { isMuted: false }) },
      speaking: {
        schema: ROOM_EVENTS.speaking,
        handle: (member, { is_speaking }) => change(member, { isSpeaking: is_speaking }),
      },
      offer: { schema: ROOM_EVENTS.offer, invalid: "invalid_offer_format", handle: relayOffer },
      answer: { schema: ROOM_EVENTS.answer, invalid: "invalid_answer_format", handle: relayAnswer },
      "ice-candidate": {
        schema: ROOM_EVENTS["ice-candidate"],
        invalid: "invalid_candidate_format",
        handle: relayCandidate,
      },
      hearing: {
        schema: ROOM_EVENTS.hearing,
        handle(member, { user_ids }) {
          const { room, seat } = member.state;
          if (!seat.isOnRoster) return fail("not_participant");
          const present = new Set(room.listRoster().map(({ person }) => String(person.userId)));
          seat.state.hears = [...new Set(user_ids)].filter((id) => present.has(id));
          room.hearingChanged(seat);
          return ok();
        },
      },
      text: { schema: ROOM_EVENTS.text, handle: say },
    },
  });
}
