import { Alert, Button } from "antd";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { LANGUAGES } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ChangeValue } from "../history/change-value.tsx";
import { isSameInput } from "../kinds/field-errors.ts";
import { toInputs } from "../kinds/registry.ts";
import {
  type Choice,
  type Choices,
  type Differences,
  findDifferences,
  listUnits,
  mergeInputs,
  type UnitDifference,
  useUnitName,
} from "./merge-inputs.ts";
import type { FormInputs } from "./use-form-inputs.ts";

/** Somebody else has stored a newer version than the one that this form grew out of. */
export interface Conflict {
  /** `refused`: a save came too late. `noticed`: it was received before one. */
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
  onNewer: (record: ModelRecord, etag: string | undefined) => void;
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

export function useConflict(
  source: RecordSource,
  inputs: FormInputs,
  etag: string | undefined,
): VersionState {
  const version = useRef(etag);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const compare = (record: ModelRecord): Differences =>
    findDifferences(listUnits(source), {
      base: inputs.readBase(),
      mine: inputs.read(),
      theirs: toInputs(source, record),
    });

  function takeOver(record: ModelRecord, newer: string | undefined, choices: Choices | "theirs"): void {
    const three = { base: inputs.readBase(), mine: inputs.read(), theirs: toInputs(source, record) };
    inputs.setBase(three.theirs);
    inputs.put(choices === "theirs" ? three.theirs : mergeInputs(listUnits(source), three, choices));
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
    return isSameInput(toInputs(source, record), inputs.readBase());
  }

  return {
    conflict,
    readVersion: () => version.current,
    setVersion(next) {
      version.current = next;
    },
    refuse: (record, newer) => show("refused", record, newer),
    onNewer(record, newer) {
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

const SIDES = ["mine", "theirs"] as const;

interface ConflictChoiceProps {
  difference: UnitDifference;
  chosen: Choice | undefined;
  /** A choice was needed and is missing. */
  isMissing: boolean;
  onChoose: (choice: Choice) => void;
}

/** Both values of an input that two people changed, to choose one. */
function ConflictChoice({ difference, chosen, isMissing, onChoose }: ConflictChoiceProps) {
  const { t } = useTranslation();
  const nameOf = useUnitName();
  const group = useId();
  const { unit, mine, theirs } = difference;
  const lang = LANGUAGES.find((candidate) => candidate === unit.path[1]);
  const row = { key: unit.key, field: unit.field, before: mine, after: theirs, ...(lang && { lang }) };
  return (
    <fieldset className="conflict" data-missing={isMissing}>
      <legend>{nameOf(unit)}</legend>
      {SIDES.map((side) => (
        <label key={side} className="conflict-side">
          <input
            type="radio"
            name={group}
            checked={chosen === side}
            aria-describedby={isMissing ? `${group}-missing` : undefined}
            onChange={() => onChoose(side)}
          />
          <span className="conflict-whose">{t(`stale.${side}`)}</span>
          <span className="conflict-value">
            <ChangeValue row={row} side={side === "mine" ? "before" : "after"} />
          </span>
        </label>
      ))}
      {isMissing && (
        <p className="control-error conflict-missing" id={`${group}-missing`}>
          {t("stale.choose")}
        </p>
      )}
    </fieldset>
  );
}

interface StaleAlertProps {
  conflict: Conflict;
  onChoose: (key: string, choice: Choice) => void;
  onSettle: () => void;
  onLoad: () => void;
}

/** The person pressed something: after a refused save, or without a choice, they are brought here. */
function useAttention({ reason, asked }: Conflict) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (reason === "noticed" && asked === 0) return;
    const missing = alert.current?.querySelector<HTMLElement>('[data-missing="true"] input');
    (missing ?? alert.current)?.focus({ preventScroll: true });
    alert.current?.scrollIntoView({ block: "start" });
  }, [reason, asked]);
  return alert;
}

/** Fields that somebody else alone changed; both versions go together there. */
function OtherFields({ conflict }: { conflict: Conflict }) {
  const { t, i18n } = useTranslation();
  const nameOf = useUnitName();
  const names = conflict.differences.others.map(({ unit }) => nameOf(unit));
  if (names.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" });
  return <p>{t("stale.others", { fields: list.format(names) })}</p>;
}

/** A newer version of the record: what was typed stays, and where two people changed one field the person chooses. */
export function StaleAlert({ conflict, onChoose, onSettle, onLoad }: StaleAlertProps) {
  const { t } = useTranslation();
  const alert = useAttention(conflict);
  const { reason, differences, choices, asked } = conflict;
  const hasChoices = differences.conflicts.length > 0;
  return (
    <div ref={alert} tabIndex={-1} className="form-problems">
      <Alert
        type={reason === "refused" ? "warning" : "info"}
        showIcon
        role={reason === "refused" ? "alert" : "status"}
        message={t(`stale.${reason}.title`)}
        description={
          <>
            <p>{t(`stale.${reason}.text`)}</p>
            <OtherFields conflict={conflict} />
            {hasChoices && <p>{t("stale.both")}</p>}
            {differences.conflicts.map((difference) => (
              <ConflictChoice
                key={difference.unit.key}
                difference={difference}
                chosen={choices[difference.unit.key]}
                isMissing={asked > 0 && choices[difference.unit.key] === undefined}
                onChoose={(choice) => onChoose(difference.unit.key, choice)}
              />
            ))}
            <div className="form-choices">
              <Button type="primary" onClick={onSettle}>
                {t(reason === "noticed" && hasChoices ? "stale.goOn" : `stale.${reason}.settle`)}
              </Button>
              <Button onClick={onLoad}>{t("stale.load")}</Button>
            </div>
          </>
        }
      />
    </div>
  );
}
