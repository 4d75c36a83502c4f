import { Button, Modal } from "antd";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "../../services.ts";
import { hasUnsaved } from "../../unsaved.ts";

/**
 * A session that ends while something is typed doesn't take the form along: this says how to go on. It goes by itself once
 * somebody has logged in in another tab.
 */
export function SessionEnded() {
  const { t } = useTranslation();
  const { session } = useServices();
  const isOver = useSyncExternalStore(session.subscribe, () => session.getAuthState() === null);
  const [isDismissed, setDismissed] = useState(false);
  // Dismissed for this end only: the next one is told again.
  if (!isOver && isDismissed) setDismissed(false);
  return (
    <Modal
      open={isOver && !isDismissed && hasUnsaved()}
      title={t("session.ended")}
      closable={false}
      maskClosable={false}
      onCancel={() => setDismissed(true)}
      footer={[
        <Button key="close" onClick={() => setDismissed(true)}>
          {t("actions.close")}
        </Button>,
        <Button key="login" type="primary" href="/login" target="_blank">
          {t("session.logIn")}
        </Button>,
      ]}
    >
      <p>{t("session.endedHelp")}</p>
    </Modal>
  );
}
