import { useContext, useEffect, useRef } from "react";
import { toLiveTopic } from "#contract/content/objects.ts";
import { MAIL_MODEL } from "#resources/screens.ts";
import { ProvidersContext } from "../services.ts";
import { createLiveRefresh } from "../views/live/live-refresh.ts";

/** Notices of mails come with every new state; those of events, with reports that change none. */
const TOPICS = [toLiveTopic(MAIL_MODEL), toLiveTopic("mail.event")];

/** Has everything read again when mail changes: at once, then at most once a second, and not while nobody sees it. */
export function useMailRefresh(refetch: () => Promise<unknown>): void {
  const { liveProvider } = useContext(ProvidersContext);
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    const refresh = createLiveRefresh({
      refresh: () => latest.current(),
      isHeldBack: () => document.visibilityState === "hidden",
    });
    const subscriptions: unknown[] = TOPICS.map((channel) =>
      liveProvider.subscribe({ channel, types: ["*"], callback: refresh.notice }),
    );
    document.addEventListener("visibilitychange", refresh.retry);
    return () => {
      document.removeEventListener("visibilitychange", refresh.retry);
      for (const subscription of subscriptions) liveProvider.unsubscribe(subscription);
      refresh.close();
    };
  }, [liveProvider]);
}
