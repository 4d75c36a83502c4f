import { useEffect, useRef, useState } from "react";
import type { RecordSource } from "#resources/record-source.ts";
import { useServices } from "../../services.ts";
import { type DraftPlan, planRestore, toDraftFields } from "./draft.tsx";
import type { Draft, DraftPlace } from "./drafts.ts";
import type { Inputs } from "./form-values.ts";
import { drafts } from "./shared-drafts.ts";
import type { FormInputs } from "./use-form-inputs.ts";

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

function toOffer(model: RecordSource, current: Inputs, draft: Draft): DraftState["offer"] {
  const plan = planRestore(model, current, draft);
  return plan ? { draft, plan } : null;
}

/** The newest draft that would change something. */
function findOffer(place: DraftPlace | null, model: RecordSource, current: Inputs): DraftState["offer"] {
  const found = place ? drafts.list(place) : [];
  return found.map((draft) => toOffer(model, current, draft)).find((offer) => offer !== null) ?? null;
}

/** Writing to the storage can take longer than a key may: it waits for a pause between them, but not for long. */
function runWhenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: IDLE_WAIT_MS });
  else run();
}

/** Keeps what is typed in this browser, and offers it again when the form was lost before it was saved. */
export function useDraft(
  model: RecordSource,
  id: DraftPlace["id"],
  inputs: FormInputs,
  readVersion: () => string | undefined,
): DraftState {
  const place = usePlace(model, id);
  const [writer] = useState(createWriter);
  const [offer, setOffer] = useState<DraftState["offer"]>(() => findOffer(place, model, inputs.initial));
  const [isFull, setFull] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isDue = useRef(false);

  function keep(): void {
    isDue.current = false;
    if (!place) return;
    const fields = toDraftFields(model, inputs.readBase(), inputs.read());
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
      setOffer((before) => before && toOffer(model, inputs.readBase(), before.draft));
    },
    restore() {
      if (!offer) return;
      // The record may have been refreshed since the form was opened.
      const plan = planRestore(model, inputs.readBase(), offer.draft) ?? offer.plan;
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
