import type { Seat } from "../live/seats.ts";
import type { EngineSeat, RoomEngine } from "./engine.ts";

export interface RoomMixParts {
  engine: RoomEngine;
  roomId: string;
  onAnswer(seat: Seat, sdp: string, epoch: number): void;
  /** The seat's browser has to begin anew. */
  onLost(seat: Seat): void;
}

/** A room's seats at its engine: each has one from its first offer until it is given up. */
export interface RoomMix {
  of(seat: Seat): EngineSeat;
  /** Muted or not may have changed. */
  changed(seat: Seat): void;
  forget(seat: Seat): void;
}

const isMuted = ({ state }: Seat) => state.isMuted || state.isSilenced;

export function createRoomMix({ engine, roomId, onAnswer, onLost }: RoomMixParts): RoomMix {
  const seats = new Map<Seat, EngineSeat>();
  return {
    of(seat) {
      let place = seats.get(seat);
      if (!place) {
        place = engine.join(roomId, isMuted(seat), {
          onAnswer: (sdp, epoch) => onAnswer(seat, sdp, epoch),
          onLost: () => onLost(seat),
        });
        seats.set(seat, place);
      }
      return place;
    },
    changed: (seat) => seats.get(seat)?.setMuted(isMuted(seat)),
    forget(seat) {
      seats.get(seat)?.leave();
      seats.delete(seat);
    },
  };
}
