import { Modal } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router";
import { hasUnsaved, holdUnsaved } from "../../unsaved.ts";
import { SessionEnded } from "./session-ended.tsx";

/**
 * Asks before typed things are lost: at links, at Back and Forward (the data router's blocker; Refine's own notifier misses
 * both), and at reload, closing and other documents (the browser's own question).
 */
export function UnsavedGuard({ isDirty }: { isDirty: () => boolean }) {
  const { t } = useTranslation();
  const latest = useRef(isDirty);
  useEffect(() => {
    latest.current = isDirty;
  });
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && latest.current(),
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
  return (
    <>
      <SessionEnded />
      <Modal
        open={blocker.state === "blocked"}
        title={t("unsaved.title")}
        okText={t("unsaved.stay")}
        cancelText={t("unsaved.leave")}
        cancelButtonProps={{ danger: true }}
        closable={false}
        keyboard={false}
        maskClosable={false}
        onOk={() => blocker.reset?.()}
        onCancel={() => blocker.proceed?.()}
      >
        <p>{t("unsaved.text")}</p>
      </Modal>
    </>
  );
}
