import { Alert, Button } from "antd";
import { useCallback, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toRelativeText } from "../../ui/relative-time.tsx";
import { ChangeValue } from "../history/change-value.tsx";
import type { Choice, Conflict, InputUnit, UnitDifference } from "./merge-inputs.ts";
import type { RecordEditor } from "./use-record-editor.ts";

/** What the label of an input says: `Title (Turkish)`. */
export function useUnitName(): (unit: InputUnit) => string {
  const { t } = useTranslation();
  return useCallback(
    ({ field, path }) => {
      const lang = LANGUAGES.find((candidate) => candidate === path[1]);
      if (!lang) return field.verbose_name;
      return t("form.localizedLabel", { field: field.verbose_name, language: t(`languages.${lang}`) });
    },
    [t],
  );
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
    if (reason === "noticed" && !asked) return;
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
function StaleAlert({ conflict, onChoose, onSettle, onLoad }: StaleAlertProps) {
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
                isMissing={asked !== null && choices[difference.unit.key] === undefined}
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

const MINUTE_MS = 60_000;

/** What was typed before and never saved, with the choice to go on with it. */
function DraftOffer({ editor }: { editor: RecordEditor }) {
  const { t, i18n } = useTranslation();
  const nameOf = useUnitName();
  const { offer } = editor.state;
  if (offer.kind !== "offered") return null;
  const lang = toLanguage(i18n.language);
  const now = Date.now();
  const time = toRelativeText(new Date(offer.draft.savedAt), now, lang, t);
  const isNow = now - offer.draft.savedAt < MINUTE_MS;
  const conflicts = offer.plan.conflicts.map(nameOf);
  const list = new Intl.ListFormat(lang, { type: "conjunction" });
  return (
    <Alert
      className="form-problems"
      type="info"
      showIcon
      role="status"
      message={isNow ? t("form.draft.titleNow") : t("form.draft.title", { time })}
      description={
        <>
          <p>{t("form.draft.text")}</p>
          {conflicts.length > 0 && <p>{t("form.draft.conflicts", { fields: list.format(conflicts) })}</p>}
          <div className="form-choices">
            <Button type="primary" onClick={editor.restore}>
              {t("form.draft.restore")}
            </Button>
            <Button onClick={editor.discard}>{t("form.draft.discard")}</Button>
          </div>
        </>
      }
    />
  );
}

/** What stands at the head of the form: what has to be decided, and what went wrong. */
export function FormNotices({ source, editor }: { source: RecordSource; editor: RecordEditor }) {
  const { t } = useTranslation();
  const { problems, state } = editor;
  const { createFailed, updateFailed } = source.texts ?? {};
  const failed = (state.isNew ? createFailed : updateFailed) ?? t("errors.save");
  return (
    <>
      {source.notice && <Alert className="form-problems" type="info" showIcon message={source.notice} />}
      <DraftOffer editor={editor} />
      {state.conflict && (
        <StaleAlert
          conflict={state.conflict}
          onChoose={editor.choose}
          onSettle={editor.settle}
          onLoad={editor.loadCurrent}
        />
      )}
      {problems.length > 0 && (
        <Alert
          className="form-problems"
          type="error"
          showIcon
          role="alert"
          message={failed}
          description={problems.map((problem) => <p key={problem}>{problem}</p>)}
        />
      )}
    </>
  );
}
