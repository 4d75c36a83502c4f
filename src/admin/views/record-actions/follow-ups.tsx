import { App, Button, Space } from "antd";
import { useTranslation } from "react-i18next";

/** One at a time: what was done before the last action is history. */
const KEY = "undo";

interface NoticeButton {
  label: string;
  onClick: () => void;
}

/**
 * Says what was done, with the way back and what can be done next, as far as there is either. It stays until it is closed or used:
 * nobody has to hurry.
 */
export function useUndoNotice(): (
  message: string,
  buttons: { onUndo?: (() => void) | undefined; next?: NoticeButton | undefined },
) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  return (message, { onUndo, next }) => {
    const draw = ({ label, onClick }: NoticeButton) => (
      <Button
        key={label}
        size="small"
        onClick={() => {
          notification.destroy(KEY);
          onClick();
        }}
      >
        {label}
      </Button>
    );
    notification.success({
      key: KEY,
      message,
      role: "status",
      duration: 0,
      actions: (
        <Space wrap>
          {next && draw(next)}
          {onUndo && draw({ label: t("list.batch.undo"), onClick: onUndo })}
        </Space>
      ),
    });
  };
}
