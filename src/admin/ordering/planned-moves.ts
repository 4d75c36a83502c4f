import type { ModelRecord } from "#contract/models.ts";

/** A move that the server has not confirmed yet: the object goes before another one, or behind the last. */
export interface PlannedMove {
  id: number;
  before: number | null;
}

function applyMove(rows: readonly ModelRecord[], { id, before }: PlannedMove): readonly ModelRecord[] {
  const moved = rows.find((row) => row.id === id);
  if (!moved) return rows;
  const others = rows.filter((row) => row !== moved);
  const at = before === null ? -1 : others.findIndex((row) => row.id === before);
  // What it was to stand before may be gone, or stand behind the rows that are shown.
  return at < 0 ? [...others, moved] : others.toSpliced(at, 0, moved);
}

/** The server's rows as they stand once all moves are done. Rows that others add or take away meanwhile are in it as they are. */
export function applyMoves(
  rows: readonly ModelRecord[],
  moves: readonly PlannedMove[],
): readonly ModelRecord[] {
  return moves.reduce(applyMove, rows);
}

/** What an object has to be put before so that it takes the place of another one, as a drag from `from` to `to` means it. */
export function toBefore(
  rows: readonly ModelRecord[],
  from: number,
  to: number,
  tail: number | null,
): number | null {
  return rows[to > from ? to + 1 : to]?.id ?? tail;
}
