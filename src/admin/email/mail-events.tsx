import { FileSearchOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { TimelineAnswer } from "#contract/mail/messages.ts";
import { toReasonKey } from "#contract/mail/reasons.ts";
import { toReasonText } from "#resources/email-bounces.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RelativeTime } from "../ui/relative-time.tsx";

export type MailEvent = TimelineAnswer["mails"][number]["events"][number];

/** The word for a kind of event or a state of a mail, and for a way in; as they came where nobody has named them. */
export function useMailWords() {
  const { t } = useTranslation();
  return {
    kindText: (kind: string) =>
      t(`emailTimeline.kinds.${kind}` as "emailTimeline.kinds.sent", { defaultValue: kind }),
    sourceText: (source: string) =>
      t(`emailLists.sources.${source}` as "emailLists.sources.ses", { defaultValue: source }),
    typeText: (type: string) =>
      t(`emailLists.feedbackTypes.${type}` as "emailLists.feedbackTypes.abuse", { defaultValue: type }),
  };
}

/** What an event means in a sentence; "" where its kind says it all. */
function useEventText(): (event: MailEvent) => string {
  const { t } = useTranslation();
  const { typeText } = useMailWords();
  return ({ status_code, bounce_type, bounce_subtype, feedback_type }) => {
    if (feedback_type) return typeText(feedback_type);
    if (!bounce_type && !status_code) return "";
    const bounce = bounce_type ? { type: bounce_type, subtype: bounce_subtype ?? "" } : undefined;
    return toReasonText(t, toReasonKey({ statusCode: status_code ?? undefined, bounce }));
  };
}

interface MailEventsProps {
  events: readonly MailEvent[];
  /** Shows the report of an event; undefined: it is shown already. */
  onReport?: (id: number) => void;
}

/** What happened to a mail, as each source reported it, the oldest first. Reports are for superusers. */
export function MailEvents({ events, onReport }: MailEventsProps) {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const { kindText, sourceText } = useMailWords();
  const eventText = useEventText();
  const canSee = onReport !== undefined && permissions.accessLevel >= ACCESS_LEVEL.superuser;
  return (
    <ol className="mail-events">
      {events.map((event) => {
        const { id, kind, source, created_at, occurred_at, status_code, diagnostic, report_id } = event;
        const text = eventText(event);
        return (
          <li key={id} data-kind={kind}>
            <p className="mail-event-line">
              <strong>{kindText(kind)}</strong>
              <span className="mail-event-meta">
                <RelativeTime moment={occurred_at ?? created_at} />
                {/* What waits here has been reported by nobody. */}
                {kind !== "queued" && ` · ${sourceText(source)}`}
              </span>
            </p>
            {text !== "" && <p>{text}</p>}
            {(status_code || diagnostic) && (
              <p className="mail-diagnostic">{[status_code, diagnostic].filter(Boolean).join(" · ")}</p>
            )}
            {canSee && report_id !== null && (
              <Button
                size="small"
                icon={<FileSearchOutlined {...DECORATIVE} />}
                onClick={() => onReport(report_id)}
              >
                {t("emailTimeline.report")}
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
