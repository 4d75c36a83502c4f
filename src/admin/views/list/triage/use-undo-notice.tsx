import { App, Button } from "antd";
import { useTranslation } from "react-i18next";

/** One at a time: what was done before the last action is history. */
const KEY = "undo";

/** Says what was done, with the way back. It stays until it is closed or used: nobody has to hurry. */
export function useUndoNotice(): (message: string, onUndo: () => void) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  return (message, onUndo) =>
    notification.success({
      key: KEY,
      message,
      role: "status",
      duration: 0,
      actions: (
        <Button
          size="small"
          onClick={() => {
            notification.destroy(KEY);
            onUndo();
          }}
        >
          {t("list.batch.undo")}
        </Button>
      ),
    });
}
