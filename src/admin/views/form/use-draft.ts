import { useEffect, useRef, useState } from "react";
import type { RecordSource } from "#resources/record-source.ts";
import { useServices } from "../../services.ts";
import { type DraftPlan, planRestore, toDraftFields } from "./draft-fields.ts";
import type { Draft, DraftPlace } from "./drafts.ts";
import { drafts } from "./shared-drafts.ts";
import type { FormInputs } from "./use-form-inputs.ts";

/** Typed things are kept after this at the latest, however fast somebody goes on typing. */
const KEEP_AFTER_MS = 800;

export interface DraftState {
  /** A draft of before, until the person has chosen. */
  offer: { draft: Draft; plan: DraftPlan } | null;
  /** The browser takes no more. */
  isFull: boolean;
  /** Something was typed. */
  schedule: () => void;
  restore: () => void;
  discard: () => void;
  /** Everything typed is stored, or the person lets it go. */
  forget: () => void;
}

/** Where this form's draft lies; null while nobody is signed in. A session that ends later leaves it where it is. */
function usePlace({ resource }: RecordSource, id: number | "new"): DraftPlace | null {
  const { session } = useServices();
  const [userId] = useState(() => session.getAuthState()?.user.id ?? null);
  return userId === null ? null : { userId, resource, id };
}

/** Keeps what is typed in this browser, and offers it again when the form was lost before it was saved. */
export function useDraft(
  model: RecordSource,
  id: number | "new",
  inputs: FormInputs,
  readVersion: () => string | undefined,
): DraftState {
  const place = usePlace(model, id);
  const [offer, setOffer] = useState<DraftState["offer"]>(() => {
    const draft = place ? drafts.read(place) : undefined;
    const plan = draft && planRestore(model, inputs.initial, draft);
    return draft && plan ? { draft, plan } : null;
  });
  const [isFull, setFull] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isKept = useRef(false);

  function keep(): void {
    timer.current = undefined;
    if (!place) return;
    const fields = toDraftFields(model, inputs.readBase(), inputs.read());
    const isEmpty = Object.keys(fields).length === 0;
    if (isEmpty) drafts.remove(place);
    isKept.current =
      !isEmpty && drafts.write(place, { savedAt: Date.now(), etag: readVersion() ?? null, fields });
    setFull(!isEmpty && !isKept.current);
  }
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });

  // What was typed in the last moment before the page goes, or the form.
  useEffect(() => {
    const flush = () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      latest.current();
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
    timer.current ??= setTimeout(() => latest.current(), KEEP_AFTER_MS);
  }

  function forget(): void {
    clearTimeout(timer.current);
    timer.current = undefined;
    isKept.current = false;
    if (place) drafts.remove(place);
    setFull(false);
    setOffer(null);
  }

  return {
    offer,
    isFull,
    schedule,
    restore() {
      if (!offer) return;
      // The record may have been refreshed since the form was opened.
      const plan = planRestore(model, inputs.readBase(), offer.draft) ?? offer.plan;
      inputs.put(Object.fromEntries(plan.names.map((name) => [name, plan.inputs[name]])));
      setOffer(null);
      schedule();
      inputs.focusFirst(plan.names[0]);
    },
    discard() {
      forget();
      // What was typed since the form opened stays, and is kept.
      schedule();
      inputs.focusFirst();
    },
    forget,
  };
}
