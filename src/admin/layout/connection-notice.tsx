import { DisconnectOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useConnectionNotice } from "./use-connection-notice.ts";

/** The button goes with the connection's return; whoever had just pressed it is not left without a place on the page. */
function useFocusPassedOn(isShown: boolean, target: string) {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!isShown && hadFocus.current) {
      document.querySelector<HTMLElement>(target)?.focus({ preventScroll: true });
    }
    if (!isShown) hadFocus.current = false;
  }, [isShown, target]);
  return {
    ref: button,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: () => {
      // An element that is taken away loses the focus too.
      hadFocus.current = !button.current?.isConnected;
    },
  };
}

/** Says that live events don't arrive, over the foot of the screen, where nothing moves because of it. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const { socket } = useServices();
  const notice = useConnectionNotice(socket);
  const isShown = notice === "lost";
  const focus = useFocusPassedOn(isShown, "#main");
  return (
    <div className="connection-notice" data-shown={isShown}>
      {isShown && <DisconnectOutlined {...DECORATIVE} />}
      <p role="status" className={isShown ? undefined : "visually-hidden"}>
        {isShown && t("connection.lost")}
        {notice === "back" && t("connection.back")}
      </p>
      {isShown && (
        <Button size="small" {...focus} onClick={socket.tryNow}>
          {t("connection.tryNow")}
        </Button>
      )}
    </div>
  );
}
