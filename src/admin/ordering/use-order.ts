import { useNotification } from "@refinedev/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../parts/error-text.ts";
import { applyMoves, type PlannedMove, toBefore } from "./planned-moves.ts";
import { useOrderedRows } from "./use-ordered-rows.ts";
import { useSendMove } from "./use-send-move.ts";

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
 * one has made. One that fails is taken back and told of.
 */
export function useOrder(model: RecordSource) {
  const { t } = useTranslation();
  const { open: notify } = useNotification();
  const ordered = useOrderedRows(model);
  const sendMove = useSendMove(model);
  const [planned, setPlanned] = useState<readonly PlannedMove[]>([]);
  const [done, setDone] = useState<DoneMove | null>(null);
  const [note, setNote] = useState<HiddenNote | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const rows = applyMoves(ordered.rows, planned);
  const { tail } = ordered;

  async function send(move: PlannedMove, told: DoneMove): Promise<void> {
    try {
      await sendMove(move);
      setDone(told);
    } catch (error) {
      notify?.({
        type: "error",
        message: t("ordering.failed", { name: told.record.repr }),
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
