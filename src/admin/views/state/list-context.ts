/** History state of a form that was opened from its list: closing it goes back there instead of adding an entry. */
export const OPENED_FROM_LIST = { openedFromList: true } as const;

export function isOpenedFromList(state: unknown): boolean {
  return typeof state === "object" && state !== null && "openedFromList" in state;
}
