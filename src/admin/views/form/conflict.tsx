import { useRef, useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toInputs } from "./form-values.ts";
import { listUnits } from "./input-units.ts";
import { type Choice, type Choices, type Differences, findDifferences, mergeInputs } from "./merge-inputs.ts";
import { isSameInput } from "./same-input.ts";
import type { FormInputs } from "./use-form-inputs.ts";

/** Somebody else has stored a newer version than the one that this form grew out of. */
export interface Conflict {
  /** `refused`: a save came too late. `noticed`: it was heard of before one. */
  reason: "refused" | "noticed";
  record: ModelRecord;
  etag: string | undefined;
  differences: Differences;
  choices: Choices;
  /** Counts how often a choice was missing when it was needed. */
  asked: number;
}

export interface VersionState {
  conflict: Conflict | null;
  /** For `If-Match`. */
  readVersion: () => string | undefined;
  setVersion: (etag: string | undefined) => void;
  refuse: (record: ModelRecord, etag: string) => void;
  /** A version that was fetched: taken over in silence where nothing is typed. */
  hear: (record: ModelRecord, etag: string | undefined) => void;
  choose: (key: string, choice: Choice) => void;
  /** Brings both versions together as chosen. @returns false while a choice is missing. */
  settle: () => boolean;
  /** Puts the newer version in place of what was typed. */
  loadCurrent: () => void;
}

/** A choice was between two values: where somebody has stored a third one since, it has to be made anew. */
function keepChoices({ choices, differences }: Conflict, { conflicts }: Differences): Choices {
  const seen = new Map(differences.conflicts.map(({ unit, theirs }) => [unit.key, theirs]));
  const kept = conflicts.filter(({ unit, theirs }) => isSameInput(seen.get(unit.key), theirs));
  const keys = kept.map(({ unit }) => unit.key);
  return Object.fromEntries(Object.entries(choices).filter(([key]) => keys.includes(key)));
}

export function useConflict(model: RecordSource, inputs: FormInputs, etag: string | undefined): VersionState {
  const version = useRef(etag);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const compare = (record: ModelRecord): Differences =>
    findDifferences(listUnits(model), {
      base: inputs.readBase(),
      mine: inputs.read(),
      theirs: toInputs(model, record),
    });

  function takeOver(record: ModelRecord, newer: string | undefined, choices: Choices | "theirs"): void {
    const three = { base: inputs.readBase(), mine: inputs.read(), theirs: toInputs(model, record) };
    inputs.setBase(three.theirs);
    inputs.put(choices === "theirs" ? three.theirs : mergeInputs(listUnits(model), three, choices));
    version.current = newer;
    setConflict(null);
  }

  function show(reason: Conflict["reason"], record: ModelRecord, newer: string | undefined): void {
    const differences = compare(record);
    setConflict((before) => ({
      reason: before?.reason === "refused" ? "refused" : reason,
      record,
      etag: newer,
      differences,
      choices: before ? keepChoices(before, differences) : {},
      asked: before?.asked ?? 0,
    }));
  }

  function isKnown(record: ModelRecord, newer: string | undefined): boolean {
    if (newer !== undefined && version.current !== undefined) return newer === version.current;
    return isSameInput(toInputs(model, record), inputs.readBase());
  }

  return {
    conflict,
    readVersion: () => version.current,
    setVersion(next) {
      version.current = next;
    },
    refuse: (record, newer) => show("refused", record, newer),
    hear(record, newer) {
      if (isKnown(record, newer)) return;
      const { conflicts, others } = compare(record);
      const isPristine = inputs.changed().length === 0;
      if (isPristine || conflicts.length + others.length === 0) takeOver(record, newer, {});
      else show("noticed", record, newer);
    },
    choose: (key, choice) =>
      setConflict((before) => before && { ...before, choices: { ...before.choices, [key]: choice } }),
    settle() {
      if (!conflict) return true;
      // Typing went on meanwhile.
      const differences = compare(conflict.record);
      const isMissing = differences.conflicts.some(({ unit }) => conflict.choices[unit.key] === undefined);
      if (isMissing) setConflict({ ...conflict, differences, asked: conflict.asked + 1 });
      else takeOver(conflict.record, conflict.etag, conflict.choices);
      return !isMissing;
    },
    loadCurrent() {
      if (conflict) takeOver(conflict.record, conflict.etag, "theirs");
    },
  };
}
