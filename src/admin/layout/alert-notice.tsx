import "./notice.css";
import { useCustom, useCustomMutation } from "@refinedev/core";
import { Button } from "antd";
import { useContext, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type AlertsAnswer, alertsAnswer } from "#contract/alerts.ts";
import { toLiveTopic } from "#contract/content/objects.ts";
import { toLanguage } from "#contract/languages.ts";
import { objectPaths } from "#resources/record-source.ts";
import { ProvidersContext, useModelPermissions } from "../services.ts";
import { toErrorText } from "../ui/errors.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";

const ALERT_MODEL = "audit.alert";
const ALERTS_API = "/api/admin/alerts/";
/** For what no live event brought; the library pauses while nobody sees the page. */
const REFRESH_MS = 60_000;

/** Alerts that nobody has seen, for those who may see them; read again when one comes or another superuser has seen some. */
function useAlerts() {
  const { permissions, contentTypeId } = useModelPermissions(ALERT_MODEL);
  const { liveProvider } = useContext(ProvidersContext);
  const isOpen = permissions.view && contentTypeId !== undefined;
  const { query } = useCustom<AlertsAnswer>({
    url: ALERTS_API,
    method: "get",
    queryOptions: {
      enabled: isOpen,
      refetchInterval: REFRESH_MS,
      select: ({ data }) => ({ data: alertsAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  const refetch = useRef(query.refetch);
  useEffect(() => {
    refetch.current = query.refetch;
  });
  useEffect(() => {
    if (!isOpen) return;
    const subscription: unknown = liveProvider.subscribe({
      channel: toLiveTopic(ALERT_MODEL),
      types: ["*"],
      callback: () => void refetch.current(),
    });
    return () => liveProvider.unsubscribe(subscription);
  }, [liveProvider, isOpen]);
  return { alerts: query.data?.data, refetch: query.refetch, contentTypeId };
}

/** What the owners of the site are to know at once, on top of every screen until a superuser has seen it. */
export function AlertNotice() {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const { alerts, refetch, contentTypeId } = useAlerts();
  const { mutateAsync, mutation } = useCustomMutation();
  const [isMarking, setIsMarking] = useState(false);
  const newest = alerts?.newest;
  if (!alerts || !newest || contentTypeId === undefined) return null;
  const { count, unreachable, is_mail_off: isMailOff } = alerts;

  /** Until the list without them is there: a second click in between would ask again. */
  async function markSeen(upTo: number): Promise<void> {
    setIsMarking(true);
    try {
      await sendSeen(upTo);
    } finally {
      setIsMarking(false);
    }
  }

  async function sendSeen(upTo: number): Promise<void> {
    await mutateAsync({
      url: `${ALERTS_API}seen/`,
      method: "post",
      values: { up_to: upTo },
      successNotification: false,
      errorNotification: false,
    });
    await refetch();
    // The button goes: whoever pressed it is not left without a place on the page.
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  }

  return (
    <section className="console-notice alert-notice" aria-label={t("alert.label")}>
      <div>
        <p role="status">
          <strong>{newest.title}</strong> ({formatDateTime(newest.at, lang)}). {newest.text}
        </p>
        {isMailOff && <p>{t("alert.mailOff")}</p>}
        {!isMailOff && unreachable.length > 0 && (
          <p>{t("alert.unreachable", { emails: new Intl.ListFormat(lang).format(unreachable) })}</p>
        )}
        {mutation.error && (
          <p role="alert">{t("alert.failed", { reason: toErrorText(mutation.error, t) })}</p>
        )}
      </div>
      <Link to={newest.path}>{t("alert.look")}</Link>
      <Link to={objectPaths.list(contentTypeId)}>{t("alert.all", { count })}</Link>
      {/* The reason of a failure is drawn above. */}
      <Button loading={isMarking} onClick={() => void markSeen(alerts.up_to).catch(() => undefined)}>
        {t(count > 1 ? "alert.seenAll" : "alert.seen")}
      </Button>
    </section>
  );
}
