import { Button } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ImportAnswer, ImportChoices } from "#contract/site/cv-import.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { toErrorText } from "../ui/errors.tsx";
import { toCountsText, toWrittenText } from "./counts.ts";
import { PlanView } from "./plan-view.tsx";
import { useImportCalls } from "./use-imports.ts";

/** What the server refused, with each fault or row that it names. */
export function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const faults = isDataError(error) ? error.fieldErrors : [];
  const toLine = ({ field, message }: { field: string; message: string }) =>
    /^\d+$/.test(field) ? message : `${field}: ${message}`;
  return (
    <div role="alert">
      {error !== null && (
        <div className="import-refusal">
          <p>{toErrorText(error, t)}</p>
          {faults.length > 0 && (
            <ul>
              {faults.map((fault) => (
                <li key={`${fault.field} ${fault.message}`}>{toLine(fault)}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

/** Calls one after the other: a second click while one is under way does nothing. */
export function useOneCall() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isUnderWay = useRef(false);
  async function run(work: () => Promise<void>): Promise<void> {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }
  return { isBusy, error, run };
}

/** A draft: its plan, the questions, and the button that says what it does. */
export function Draft({
  given,
  onApplied,
  onStale,
}: {
  given: ImportAnswer;
  onApplied: () => void;
  onStale: () => void;
}) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState(given);
  const { isBusy, error, run } = useOneCall();
  const [isApplying, setApplying] = useState(false);
  const calls = useImportCalls();
  const { entry, answers, plan } = answer;
  if (!plan) return null;
  const change = (next: ImportChoices) => void run(async () => setAnswer(await calls.answer(entry.id, next)));
  const written = toWrittenText(plan.counts, t);

  const apply = () =>
    run(async () => {
      setApplying(true);
      try {
        await calls.apply(entry.id, { answers, fingerprint: plan.fingerprint });
        onApplied();
      } catch (failure) {
        if (isDataError(failure) && failure.code === "import_stale") onStale();
        throw failure;
      } finally {
        setApplying(false);
      }
    });

  return (
    <>
      <p>
        {plan.is_unchanged ? t("import.unchanged") : t(plan.is_gentle ? "import.gentle" : "import.careful")}
      </p>
      <PlanView
        plan={plan}
        answering={{
          isBusy,
          onGone: (key, choice) => change({ ...answers, gone: { ...answers.gone, [key]: choice } }),
          onMatch: (key, match) => change({ ...answers, matches: { ...answers.matches, [key]: match } }),
        }}
      />
      <Refusal error={error} />
      <p className="import-actions">
        {!plan.is_unchanged && (
          <Button type="primary" loading={isBusy} onClick={() => void apply()}>
            {written ? t("import.apply", { what: written }) : t("import.applyPlain")}
          </Button>
        )}
        <Link to="/admin/import">{t("import.another")}</Link>
      </p>
      <p role="status">{isApplying && t("import.applying")}</p>
    </>
  );
}

/** What an import did, and its undo. */
export function Done({ answer, onUndone }: { answer: ImportAnswer; onUndone: () => void }) {
  const { t } = useTranslation();
  const { entry } = answer;
  const { isBusy, error, run } = useOneCall();
  const calls = useImportCalls();
  const [left, setLeft] = useState<readonly string[]>([]);
  const hasConflicts = isDataError(error) && error.code === "undo_conflicts";
  const undo = (isPartial: boolean) =>
    void run(async () => {
      const undone = await calls.undo(entry.id, isPartial);
      setLeft(undone.left.map(({ section, title }) => `${section}: ${title}`));
      onUndone();
    });
  const what = entry.counts ? toCountsText(entry.counts, t) : "";
  return (
    <>
      <p role="status">{t(entry.state === "undone" ? "import.undone" : "import.done", { what })}</p>
      {entry.backup_file !== null && <p>{t("import.backup", { file: entry.backup_file })}</p>}
      {left.length > 0 && <p>{t("import.left", { what: left.join(", ") })}</p>}
      <Refusal error={error} />
      <p className="import-actions">
        {entry.can_undo && (
          <Button danger loading={isBusy} onClick={() => undo(hasConflicts)}>
            {t(hasConflicts ? "import.undoRest" : "import.undo")}
          </Button>
        )}
        <Link to="/admin/import">{t("import.another")}</Link>
        <a href="/cv">{t("import.look")}</a>
      </p>
    </>
  );
}
