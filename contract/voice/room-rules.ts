import { VOICE_LIMITS } from "./rooms.ts";

/** The texts of these codes are `errors` in `locales/`: those that specification B section 5 words. */
export type RoomFaultCode =
  | "room_name_required"
  | "room_name_too_short"
  | "room_name_too_long"
  | "room_description_too_long"
  | "room_size_out_of_range"
  | "room_size_needs_engine";

export interface RoomFault {
  field: "name" | "description" | "max_participants";
  code: RoomFaultCode;
}

function checkName(name: string): RoomFaultCode | undefined {
  const { length } = name.trim();
  if (length === 0) return "room_name_required";
  if (length < VOICE_LIMITS.nameMinChars) return "room_name_too_short";
  return length > VOICE_LIMITS.nameMaxChars ? "room_name_too_long" : undefined;
}

function checkSize(size: number, seatsMax: number): RoomFaultCode | undefined {
  const isInRange = Number.isInteger(size) && size >= VOICE_LIMITS.seatsMin && size <= VOICE_LIMITS.seatsMax;
  if (!isInRange) return "room_size_out_of_range";
  return size > seatsMax ? "room_size_needs_engine" : undefined;
}

/**
 * Faults of a room as it was typed, by the documented texts; values of other types than these are a schema's to refuse. What is
 * absent is not judged. `seatsMax`: the largest room of the site.
 */
export function findRoomFaults(
  given: { name?: unknown; description?: unknown; max_participants?: unknown },
  seatsMax: number,
): RoomFault[] {
  const { name, description, max_participants: size } = given;
  const faults: RoomFault[] = [];
  const nameFault = typeof name === "string" ? checkName(name) : undefined;
  if (nameFault) faults.push({ field: "name", code: nameFault });
  if (typeof description === "string" && description.trim().length > VOICE_LIMITS.descriptionMaxChars)
    faults.push({ field: "description", code: "room_description_too_long" });
  const sizeFault = typeof size === "number" ? checkSize(size, seatsMax) : undefined;
  if (sizeFault) faults.push({ field: "max_participants", code: sizeFault });
  return faults;
}

/** The largest room that a site can hold. */
export function getMaxSeats(hasMixer: boolean): number {
  return hasMixer ? VOICE_LIMITS.seatsMax : VOICE_LIMITS.meshSeatsMax;
}
