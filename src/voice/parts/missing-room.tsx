/** The part of an address that names a room: its slug or id. One that can't be read names none. */
export function readRoomName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
