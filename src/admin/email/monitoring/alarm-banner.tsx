import "./alarm-banner.css";
import { useCustom, useCustomMutation } from "@refinedev/core";
import { Alert, Button, Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { toLanguage } from "#contract/languages.ts";
import { type MailAlarm, type MailHoldAnswer, mailHoldAnswer } from "#contract/mail/health.ts";
import { objectPaths } from "#resources/record-source.ts";
import { emailMonitoringResource, MAIL_MODEL, toTimelinePath } from "#resources/screens.ts";
import { useModelPermissions, useServices } from "../../services.ts";
import { useReturnedFocus } from "../../ui/accessibility.ts";
import { toErrorText } from "../../ui/errors.tsx";
import { isAbsent } from "./use-monitoring.ts";
import { useRateText } from "./use-rate-text.ts";

const HOLD_API = "/api/mail/hold/";
/** An alarm has to be seen within a minute; the library pauses while nobody sees the page. */
const HOLD_REFRESH_MS = 30_000;

/** Alarms that nobody released, for those who may see mail. */
export function useMailHold() {
  const { permissions } = useServices();
  const { query } = useCustom<MailHoldAnswer>({
    url: HOLD_API,
    method: "get",
    queryOptions: {
      enabled: permissions.accessLevel >= ACCESS_LEVEL.admin && permissions.can("view", MAIL_MODEL),
      refetchInterval: HOLD_REFRESH_MS,
      select: ({ data }) => ({ data: mailHoldAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, hold: query.data?.data };
}

/** What becomes of mail that waits. */
type HoldEnd = "release" | "discard";

/** Sends what waits, or gives it up, and ends the alarms. */
function useHoldEnd(way: HoldEnd) {
  const { mutateAsync, mutation } = useCustomMutation();
  const end = () =>
    mutateAsync({
      url: `${HOLD_API}${way}/`,
      method: "post",
      values: {},
      successNotification: false,
      errorNotification: false,
    });
  return { end, error: mutation.error, isPending: mutation.isPending };
}

const SUPPRESSION_MODEL = "mail.suppression";

/** What rose above which limit. */
function AlarmText({ alarm }: { alarm: MailAlarm }) {
  const { t } = useTranslation();
  const text = useRateText();
  const { kind, count, total, days, rate, limit } = alarm;
  if (kind === "restore") return t("emailMonitoring.hold.restored");
  const counts = { count: text.count(count), total: text.count(total), days };
  if (rate === null || limit === null) return t(`emailMonitoring.hold.many.${kind}`, counts);
  return t(`emailMonitoring.hold.above.${kind}`, {
    ...counts,
    rate: text.rate(rate),
    limit: text.limit(limit),
  });
}

const isRestored = (alarms: readonly MailAlarm[]) => alarms.some(({ kind }) => kind === "restore");

function HeldText({ hold: { alarms, is_held, held }, isShort }: { hold: MailHoldAnswer; isShort: boolean }) {
  const { t } = useTranslation();
  if (!is_held) return <p>{t("emailMonitoring.hold.notHeld")}</p>;
  const restored = isRestored(alarms);
  const none = t(`emailMonitoring.hold.${restored ? "restoredNone" : "heldNone"}`);
  return (
    <p>
      {held > 0 ? t("emailMonitoring.hold.held", { count: held }) : none}
      {!isShort && !restored && ` ${t("emailMonitoring.hold.goesOn")}`}
    </p>
  );
}

function Unreachable({ emails }: { emails: readonly string[] }) {
  const { t, i18n } = useTranslation();
  const { permissions, contentTypeId } = useModelPermissions(SUPPRESSION_MODEL);
  if (emails.length === 0) return null;
  return (
    <p>
      {t("emailMonitoring.hold.unreachable", {
        emails: new Intl.ListFormat(toLanguage(i18n.language)).format(emails),
      })}{" "}
      {contentTypeId !== undefined && permissions.view && (
        <Link to={objectPaths.list(contentTypeId)}>{t("emailMonitoring.hold.suppressions")}</Link>
      )}
    </p>
  );
}

/** Nothing stops their mail by itself, so somebody has to look. */
function Returned({ emails, isShort }: { emails: readonly string[]; isShort: boolean }) {
  const { t, i18n } = useTranslation();
  if (emails.length === 0) return null;
  const parts = new Intl.ListFormat(toLanguage(i18n.language)).formatToParts(emails);
  return (
    <p>
      {t("emailMonitoring.hold.returned")}{" "}
      {parts.map(({ type, value }) =>
        type === "element" ? (
          <Link key={value} to={toTimelinePath(value)}>
            {value}
          </Link>
        ) : (
          value
        ),
      )}
      .{!isShort && ` ${t("emailMonitoring.hold.returnedHelp")}`}
    </p>
  );
}

interface EndDialogProps {
  way: HoldEnd;
  held: number;
  onClose: (isOver: boolean) => void;
}

function EndDialog({ way, held, onClose }: EndDialogProps) {
  const { t } = useTranslation();
  const { end, error, isPending } = useHoldEnd(way);
  const texts = way === "discard" ? "discard" : "confirm";
  useReturnedFocus();
  return (
    <Modal
      open
      title={t(`emailMonitoring.hold.${texts}Title`, { count: held })}
      okText={t(`emailMonitoring.hold.${way}`)}
      okButtonProps={{ danger: way === "discard" }}
      confirmLoading={isPending}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true }}
      closable={false}
      // The reason of a failure is drawn below.
      onOk={() =>
        void end().then(
          () => onClose(true),
          () => undefined,
        )
      }
      onCancel={() => onClose(false)}
    >
      <p>{t(`emailMonitoring.hold.${texts}Text`)}</p>
      {error && (
        <p role="alert">
          {t("emailMonitoring.hold.failed")}: {toErrorText(error, t)}
        </p>
      )}
    </Modal>
  );
}

interface AlarmProps {
  hold: MailHoldAnswer;
  isShort: boolean;
  onReleased: () => void;
}

function Alarm({ hold, isShort, onReleased }: AlarmProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<HoldEnd>();
  const { alarms, held, unreachable, returned } = hold;
  const close = (isOver: boolean) => {
    setAsked(undefined);
    if (isOver) onReleased();
  };
  return (
    <>
      <Alert
        className="alarm-banner"
        type={alarms.some(({ rate }) => rate !== null) ? "error" : "warning"}
        showIcon
        message={t("emailMonitoring.hold.title")}
        description={
          <>
            {alarms.map((alarm) => (
              <p key={alarm.id}>
                <AlarmText alarm={alarm} />
              </p>
            ))}
            <HeldText hold={hold} isShort={isShort} />
            {!isShort && <Unreachable emails={unreachable} />}
            <Returned emails={returned} isShort={isShort} />
            {isShort && (
              <p>
                <Link to={emailMonitoringResource.list}>{t("emailMonitoring.hold.more")}</Link>
              </p>
            )}
          </>
        }
        action={
          <div className="alarm-banner-ways">
            <Button onClick={() => setAsked("release")}>{t("emailMonitoring.hold.release")}</Button>
            {isRestored(alarms) && held > 0 && (
              <Button onClick={() => setAsked("discard")}>{t("emailMonitoring.hold.discard")}</Button>
            )}
          </div>
        }
      />
      {asked && <EndDialog way={asked} held={held} onClose={close} />}
    </>
  );
}

/**
 * What rose above its limit, what waits because of it, and whom no alarm reaches. Nothing where all is well. `isShort`: on
 * screens about something else, which leave the rest, and what went wrong with asking, to the monitoring.
 */
export function AlarmBanner({ isShort = false }: { isShort?: boolean }) {
  const { t } = useTranslation();
  const { query, hold } = useMailHold();
  const refetch = () => void query.refetch();
  if (!hold) {
    if (isShort || !query.isError || isAbsent(query.error)) return null;
    return (
      <Alert
        className="alarm-banner"
        type="warning"
        showIcon
        message={t("emailMonitoring.failed.hold")}
        description={toErrorText(query.error, t)}
        action={<Button onClick={refetch}>{t("actions.retry")}</Button>}
      />
    );
  }
  if (hold.alarms.length > 0 || hold.is_held)
    return <Alarm hold={hold} isShort={isShort} onReleased={refetch} />;
  const unreachable = isShort ? [] : hold.unreachable;
  if (unreachable.length === 0 && hold.returned.length === 0) return null;
  return (
    <Alert
      role="note"
      className="alarm-banner"
      type="warning"
      showIcon
      message={t(`emailMonitoring.hold.${unreachable.length > 0 ? "unreachableTitle" : "returnedTitle"}`)}
      description={
        <>
          <Unreachable emails={unreachable} />
          <Returned emails={hold.returned} isShort={false} />
        </>
      }
    />
  );
}
