import { type RefObject, useEffect, useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { useAccountText } from "../../account-area.tsx";

/** What takes a person away from here by a plain click: a link, or signing out. */
function findWayOut(event: MouseEvent): HTMLElement | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!isPlain || !(event.target instanceof Element)) return null;
  const way = event.target.closest<HTMLElement>("a[href], [data-sign-out]");
  if (
    way instanceof HTMLAnchorElement &&
    (way.target === "_blank" || way.getAttribute("href")?.startsWith("#"))
  )
    return null;
  return way;
}

/**
 * Asks before unsaved edits are lost: at links and at signing out by a dialog of the page, at reload and closing by the
 * browser's own question, unless `isLeaving` says that it is left on purpose. Back can't be held here; what was typed is kept for that (use-profile-editor.ts).
 */
export function useLeaveGuard(isDirty: boolean, isLeaving: RefObject<boolean>, discard: () => void) {
  const [way, setWay] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    const onClick = (event: MouseEvent) => {
      const element = isLeaving.current ? null : findWayOut(event);
      if (!element) return;
      event.preventDefault();
      event.stopPropagation();
      setWay(() => () => {
        isLeaving.current = true;
        element.click();
      });
    };
    window.addEventListener("beforeunload", onUnload);
    // Before React and the loader receive it.
    document.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [isDirty, isLeaving]);

  return {
    isAsking: way !== null,
    /** Goes on at once when nothing would be lost. */
    ask: (goOn: () => void) => (isDirty ? setWay(() => goOn) : goOn()),
    stay: () => setWay(null),
    leave() {
      setWay(null);
      discard();
      way?.();
    },
  };
}

/** Asks before unsaved edits are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useAccountText();
  return (
    <Dialog title={t("profile:leave.title")} onCancel={onStay}>
      <p>{t("profile:leave.text")}</p>
      <div className="dialog-buttons">
        <button type="button" className="button-danger" onClick={onLeave}>
          {t("profile:leave.discard")}
        </button>
        <button type="button" className="button" onClick={onStay}>
          {t("profile:leave.stay")}
        </button>
      </div>
    </Dialog>
  );
}
