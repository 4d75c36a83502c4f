import { DisconnectOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Socket } from "#providers/socket/socket.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

/** A loss that is over by then is nobody's concern. */
const LOST_AFTER_MS = 2000;
/** A page that has just come waits longer: it may only be slow. */
const NEVER_HAD_AFTER_MS = 5000;

/** `back`: over again, after it had been shown. */
export type NoticeState = "none" | "lost" | "back";

/** What there is to say about the connection that live events come by. */
function useConnectionNotice(socket: Pick<Socket, "subscribe" | "getStatus">): NoticeState {
  const status = useSyncExternalStore(socket.subscribe, socket.getStatus);
  const [notice, setNotice] = useState<NoticeState>("none");
  const hasBeenConnected = useRef(false);

  useEffect(() => {
    if (status === "connected") hasBeenConnected.current = true;
    if (status !== "reconnecting") {
      setNotice((shownBefore) => (shownBefore === "lost" && status === "connected" ? "back" : "none"));
      return;
    }
    const delayMs = hasBeenConnected.current ? LOST_AFTER_MS : NEVER_HAD_AFTER_MS;
    const timer = setTimeout(() => setNotice("lost"), delayMs);
    return () => clearTimeout(timer);
  }, [status]);

  return notice;
}

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
