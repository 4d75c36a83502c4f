import { useCustomMutation, useList, useNotification } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import { moveAnswer } from "#contract/content/objects.ts";
import { ADMIN_API } from "#providers/refine/endpoints.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../ui/errors.tsx";

/** A move that the server has not confirmed yet: the object goes before another one, or behind the last. */
interface PlannedMove {
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
function applyMoves(rows: readonly ModelRecord[], moves: readonly PlannedMove[]): readonly ModelRecord[] {
  return moves.reduce(applyMove, rows);
}

/** What an object has to be put before so that it takes the place of another one, as a drag from `from` to `to` means it. */
function toBefore(
  rows: readonly ModelRecord[],
  from: number,
  to: number,
  tail: number | null,
): number | null {
  return rows[to > from ? to + 1 : to]?.id ?? tail;
}

/** The objects in the model's own order, as many as one page holds. Live events refresh them like every list of the model. */
function useOrderedRows(source: RecordSource) {
  const { query, result } = useList<ModelRecord>({
    resource: source.resource,
    pagination: { currentPage: 1, pageSize: ADMIN_LIMITS.pageSizeMax },
    errorNotification: false,
  });
  const total = result.total ?? 0;
  const isAll = total <= ADMIN_LIMITS.pageSizeMax;
  return {
    query,
    total,
    rows: isAll ? result.data : result.data.slice(0, -1),
    /** What follows the last of the rows: of more than a page the last one only says where the others end. */
    tail: isAll ? null : (result.data.at(-1)?.id ?? null),
  };
}

/** Sends one move, and resolves when the lists of the model that are shown hold it. After a refusal they hold what made the server refuse. */
function useSendMove({ resource }: RecordSource): (move: PlannedMove) => Promise<void> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useCustomMutation();
  return async ({ id, before }) => {
    try {
      const { data } = await mutateAsync({
        url: `${ADMIN_API}/${resource}/${id}/move/`,
        method: "post",
        values: { before },
        successNotification: false,
        errorNotification: false,
      });
      moveAnswer.parse(data);
    } finally {
      // Records that were read before have another number now, and so another version.
      await queryClient.invalidateQueries({ queryKey: ["data", "default", resource] });
    }
  };
}

/** The last move that the server has confirmed, with the one that takes it back. */
interface DoneMove {
  record: ModelRecord;
  back: PlannedMove;
}

/** An object that was hidden or shown after the last move. */
interface HiddenNote {
  record: ModelRecord;
  isHidden: boolean;
}

/**
 * The objects in their order, with moves shown at once and sent one after the other: a later one names a place that an earlier
 * one has made. One that fails is taken back, with a notice.
 */
export function useOrder(source: RecordSource) {
  const { t } = useTranslation();
  const { open: notify } = useNotification();
  const ordered = useOrderedRows(source);
  const sendMove = useSendMove(source);
  const [planned, setPlanned] = useState<readonly PlannedMove[]>([]);
  const [done, setDone] = useState<DoneMove | null>(null);
  const [note, setNote] = useState<HiddenNote | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const rows = applyMoves(ordered.rows, planned);
  const { tail } = ordered;

  async function send(move: PlannedMove, doneMove: DoneMove): Promise<void> {
    try {
      await sendMove(move);
      setDone(doneMove);
    } catch (error) {
      notify?.({
        type: "error",
        message: t("ordering.failed", { name: doneMove.record.repr }),
        description: toErrorText(error, t),
      });
    }
    setPlanned((moves) => moves.filter((other) => other !== move));
  }

  function put(record: ModelRecord, before: number | null): void {
    const from = rows.findIndex(({ id }) => id === record.id);
    const move = { id: record.id, before };
    const back = { id: record.id, before: rows[from + 1]?.id ?? tail };
    if (from < 0 || before === back.before) return;
    setNote(null);
    setPlanned((moves) => [...moves, move]);
    queue.current = queue.current.then(() => send(move, { record, back }));
  }

  return {
    ...ordered,
    rows,
    isSaving: planned.length > 0,
    done,
    note,
    noteHidden: (record: ModelRecord, isHidden: boolean) => setNote({ record, isHidden }),
    /** Puts the object at one place to another one, as a drag does. */
    move(from: number, to: number): void {
      const record = rows[from];
      if (record && to >= 0 && to < rows.length) put(record, toBefore(rows, from, to, tail));
    },
    undo(): void {
      if (done) put(done.record, done.back.before);
    },
  };
}

export type Order = ReturnType<typeof useOrder>;
