import { useId } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES } from "#contract/languages.ts";
import { ChangeValue } from "../../changes/change-value.tsx";
import type { Choice, UnitDifference } from "./merge-inputs.ts";
import { useUnitName } from "./use-unit-name.ts";

const SIDES = ["mine", "theirs"] as const;

interface ConflictChoiceProps {
  difference: UnitDifference;
  chosen: Choice | undefined;
  /** A choice was needed and is missing. */
  isMissing: boolean;
  onChoose: (choice: Choice) => void;
}

/** Both values of an input that two people changed, to choose one. */
export function ConflictChoice({ difference, chosen, isMissing, onChoose }: ConflictChoiceProps) {
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
