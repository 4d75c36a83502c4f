import { Alert, Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useServices } from "../../services.ts";
import { toRelativeText } from "../../ui/relative-time.tsx";
import { changedFields, type Inputs } from "../kinds/registry.ts";
import { type Draft, type DraftPlace, drafts } from "./drafts.ts";
import {
  findDifferences,
  type InputUnit,
  listUnits,
  mergeInputs,
  type ThreeWay,
  useUnitName,
} from "./merge-inputs.ts";
import type { FormInputs } from "./use-form-inputs.ts";

/** Names of what must never lie in a browser's storage, for back ends that don't say `is_secret`. */
const SECRET_NAME = /passw|secret|token|api_?key/i;

function mayBeKept({ name, is_secret }: FieldInfo): boolean {
  return is_secret !== true && !SECRET_NAME.test(name);
}

/** What a draft keeps of a form: fields that were changed and are no secrets. */
export function toDraftFields(source: RecordSource, base: Inputs, typed: Inputs): Draft["fields"] {
  const names = changedFields(source, base, typed);
  const kept = source.fields.filter((field) => names.includes(field.name) && mayBeKept(field));
  return Object.fromEntries(
    kept.map(({ name, control }) => [name, { control, base: base[name], typed: typed[name] }]),
  );
}

/** The draft laid over the record as it is now. Fields that are gone, or have another control by now, are left out. */
function toThreeWay(source: RecordSource, current: Inputs, draft: Draft): ThreeWay {
  const fields = source.fields.filter(
    ({ name, control, read_only }) => !read_only && draft.fields[name]?.control === control,
  );
  const pick = (side: "base" | "typed") =>
    Object.fromEntries(fields.map(({ name }) => [name, draft.fields[name]?.[side]]));
  return { base: { ...current, ...pick("base") }, mine: { ...current, ...pick("typed") }, theirs: current };
}

interface DraftPlan {
  /** What the form holds once the draft is restored. */
  inputs: Inputs;
  /** Fields that the draft changes. */
  names: string[];
  /** Inputs that the draft and somebody else have changed since. */
  conflicts: InputUnit[];
}

/** What restoring the draft would do; undefined where it would change nothing. */
export function planRestore(source: RecordSource, current: Inputs, draft: Draft): DraftPlan | undefined {
  const units = listUnits(source);
  const three = toThreeWay(source, current, draft);
  const inputs = mergeInputs(units, three, {});
  const names = changedFields(source, current, inputs);
  if (names.length === 0) return undefined;
  return { inputs, names, conflicts: findDifferences(units, three).conflicts.map(({ unit }) => unit) };
}

/** Typed things are kept after this at the latest, however fast somebody goes on typing. */
const KEEP_AFTER_MS = 800;
const IDLE_WAIT_MS = 500;

export interface DraftState {
  /** A draft of before, until the person has chosen. */
  offer: { draft: Draft; plan: DraftPlan } | null;
  /** The browser takes no more. */
  isFull: boolean;
  /** Something was typed. */
  schedule: () => void;
  restore: () => void;
  discard: () => void;
  /** Everything typed is stored, or the person lets it go. A draft that is offered still stays on offer. */
  forget: () => void;
}

/** Where this form's draft lies; null while nobody is signed in. A session that ends later leaves it where it is. */
function usePlace({ resource }: RecordSource, id: DraftPlace["id"]): DraftPlace | null {
  const { session } = useServices();
  const [userId] = useState(() => session.getAuthState()?.user.id ?? null);
  return userId === null ? null : { userId, resource, id };
}

/** No other form of this browser is called so. */
function createWriter(): string {
  return Math.random().toString(36).slice(2);
}

function toOffer(source: RecordSource, current: Inputs, draft: Draft): DraftState["offer"] {
  const plan = planRestore(source, current, draft);
  return plan ? { draft, plan } : null;
}

/** The newest draft that would change something. */
function findOffer(place: DraftPlace | null, source: RecordSource, current: Inputs): DraftState["offer"] {
  const found = place ? drafts.list(place) : [];
  return found.map((draft) => toOffer(source, current, draft)).find((offer) => offer !== null) ?? null;
}

/** Writing to the storage can take longer than a key may: it waits for a pause between them, but not for long. */
function runWhenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: IDLE_WAIT_MS });
  else run();
}

/** Keeps what is typed in this browser, and offers it again when the form was lost before it was saved. */
export function useDraft(
  source: RecordSource,
  id: DraftPlace["id"],
  inputs: FormInputs,
  readVersion: () => string | undefined,
): DraftState {
  const place = usePlace(source, id);
  const [writer] = useState(createWriter);
  const [offer, setOffer] = useState<DraftState["offer"]>(() => findOffer(place, source, inputs.initial));
  const [isFull, setFull] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDue = useRef(false);

  function keep(): void {
    isDue.current = false;
    if (!place) return;
    const fields = toDraftFields(source, inputs.readBase(), inputs.read());
    const isEmpty = Object.keys(fields).length === 0;
    if (isEmpty) drafts.remove(place, writer);
    const isKept =
      isEmpty || drafts.write(place, { savedAt: Date.now(), writer, etag: readVersion() ?? null, fields });
    setFull(!isKept);
  }
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });

  // What was typed in the last moment before the page goes, or the form.
  useEffect(() => {
    const flush = () => {
      clearTimeout(timer.current);
      if (isDue.current) latest.current();
    };
    window.addEventListener("pagehide", flush);
    document.addEventListener("visibilitychange", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      document.removeEventListener("visibilitychange", flush);
      flush();
    };
  }, []);

  function schedule(): void {
    if (isDue.current) return;
    isDue.current = true;
    timer.current = setTimeout(() => runWhenIdle(() => isDue.current && latest.current()), KEEP_AFTER_MS);
  }

  /** The offer is decided: its draft goes, wherever else this form keeps its own. */
  function closeOffer(): void {
    if (place && offer) drafts.remove(place, offer.draft.writer);
    setOffer(null);
    keep();
  }

  return {
    offer,
    isFull,
    schedule,
    forget() {
      clearTimeout(timer.current);
      isDue.current = false;
      if (place) drafts.remove(place, writer);
      setFull(false);
      // One that nobody has decided about stays, as far as it still changes something.
      setOffer((before) => before && toOffer(source, inputs.readBase(), before.draft));
    },
    restore() {
      if (!offer) return;
      // The record may have been refreshed since the form was opened.
      const plan = planRestore(source, inputs.readBase(), offer.draft) ?? offer.plan;
      inputs.put(Object.fromEntries(plan.names.map((name) => [name, plan.inputs[name]])));
      closeOffer();
      inputs.focusFirst(plan.names[0]);
    },
    discard() {
      closeOffer();
      inputs.focusFirst();
    },
  };
}

const MINUTE_MS = 60_000;

/** What was typed before and never saved, with the choice to go on with it. */
export function DraftOffer({ draft }: { draft: DraftState }) {
  const { t, i18n } = useTranslation();
  const nameOf = useUnitName();
  const { offer } = draft;
  if (!offer) return null;
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
            <Button type="primary" onClick={draft.restore}>
              {t("form.draft.restore")}
            </Button>
            <Button onClick={draft.discard}>{t("form.draft.discard")}</Button>
          </div>
        </>
      }
    />
  );
}
