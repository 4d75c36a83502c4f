import { Modal } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Location, useBlocker } from "react-router";
import { hasUnsaved, holdUnsaved } from "../../session/unsaved.ts";

interface UnsavedGuardProps {
  isDirty: () => boolean;
  /** The person leaves all the same. */
  onAbandon: () => void;
  /** Whether a move takes the form away. The address of a form is its path; its query belongs to what lies around it. */
  isLeaving?: (current: Location, next: Location) => boolean;
}

function hasOtherPath(current: Location, next: Location): boolean {
  return current.pathname !== next.pathname;
}

/**
 * Asks before typed things are lost: at links, at Back and Forward, and where an address is replaced (the data router's
 * blocker; Refine's own notifier misses the last three), and at reload, closing and other documents (the browser's own question).
 */
export function UnsavedGuard({ isDirty, onAbandon, isLeaving = hasOtherPath }: UnsavedGuardProps) {
  const { t } = useTranslation();
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isLeaving(currentLocation, nextLocation) && hasUnsaved(),
  );
  useEffect(() => {
    const release = holdUnsaved(() => latest.current());
    const onLeave = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => {
      release();
      window.removeEventListener("beforeunload", onLeave);
    };
  }, []);
  /** The blocker that the button has released: a second click before the next drawing would release it again, which throws. */
  const released = useRef<typeof blocker>(null);
  return (
    <Modal
      open={blocker.state === "blocked"}
      title={t("unsaved.title")}
      okText={t("unsaved.stay")}
      cancelText={t("unsaved.leave")}
      cancelButtonProps={{
        danger: true,
        onClick() {
          if (released.current === blocker) return;
          released.current = blocker;
          onAbandon();
          blocker.proceed?.();
        },
      }}
      closable={false}
      maskClosable={false}
      onOk={() => blocker.reset?.()}
      // Escape: what is typed is not lost by a key.
      onCancel={() => blocker.reset?.()}
    >
      <p>{t("unsaved.text")}</p>
    </Modal>
  );
}
