import { App } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "./error-state.tsx";

const loadAgain = () => window.location.reload();

/** Stands where a part of a screen would be whose file can't be fetched. What is typed beside it stays. */
export function MissingPart() {
  const { t } = useTranslation();
  return (
    <ErrorState
      title={t("errors.missingFile")}
      error={{ message: t("errors.missingFileHelp") }}
      retryText={t("actions.reload")}
      onRetry={loadAgain}
    />
  );
}

/** In place of a part that would lie over the screen: a notice says so, and the screen below stays. */
export function MissingOverlay({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const tell = useRef(() => {
    notification.error({
      role: "alert",
      key: "missing-file",
      message: t("errors.missingFile"),
      description: t("errors.missingFileHelp"),
    });
    onClose();
  });
  useEffect(() => tell.current(), []);
  return null;
}
