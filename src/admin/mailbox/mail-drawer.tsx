import { Drawer, Tabs } from "antd";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useParams } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import type { MailboxMail } from "#contract/mail/messages.ts";
import { mailboxResource } from "#resources/screens.ts";
import { useStepBack } from "../navigation/addresses.ts";
import { useReturnedFocus } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { FactsList } from "../ui/panel.tsx";
import { FormSkeleton } from "../ui/states.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import { isOpenedFromList } from "../views/state/list-context.ts";
import { useMail } from "./use-mailbox.ts";

/** Links of a mail open in a tab of their own; nothing in it runs, and nothing in it reaches this page. */
const SANDBOX = "allow-popups allow-popups-to-escape-sandbox";
const withNewTabs = (html: string) => html.replace("<head>", '<head><base target="_blank">');

function Html({ mail }: { mail: MailboxMail }) {
  const { t } = useTranslation();
  if (mail.html === null) return <p className="mail-missing">{t("mailbox.noHtml")}</p>;
  return (
    <iframe
      className="mail-frame"
      title={t("mailbox.frame", { subject: mail.subject })}
      sandbox={SANDBOX}
      srcDoc={withNewTabs(mail.html)}
    />
  );
}

function Source({ text, label }: { text: string | null; label: string }) {
  const { t } = useTranslation();
  if (text === null) return <p className="mail-missing">{t("mailbox.noText")}</p>;
  return (
    // Keyboards scroll it too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus
    <section className="mail-source" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

/** Who, to whom, when, and the mail in the forms that mail programs choose from. */
function MailView({ mail }: { mail: MailboxMail }) {
  const { t, i18n } = useTranslation();
  const facts = [
    [t("mailbox.from"), mail.from],
    [t("mailbox.to"), mail.to],
    [t("mailbox.date"), formatDateTime(mail.date, toLanguage(i18n.language))],
  ] as const;
  const headers = mail.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  return (
    <>
      <FactsList className="mail-facts" facts={facts} />
      <Tabs
        items={[
          { key: "html", label: t("mailbox.html"), children: <Html mail={mail} /> },
          {
            key: "text",
            label: t("mailbox.text"),
            children: <Source text={mail.text} label={t("mailbox.text")} />,
          },
          {
            key: "headers",
            label: t("mailbox.headers"),
            children: <Source text={headers} label={t("mailbox.headers")} />,
          },
        ]}
      />
    </>
  );
}

function MailBody({ query, mail }: ReturnType<typeof useMail>) {
  const { t } = useTranslation();
  if (query.isError) {
    return (
      <ErrorState title={t("errors.loadMail")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return mail ? <MailView mail={mail} /> : <FormSkeleton />;
}

/** `/admin/mailbox/:file`, over the list. */
export function MailDrawer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const { state } = useLocation();
  const loaded = useMail(useParams().file ?? "");
  useReturnedFocus();
  const close = () => {
    if (isOpenedFromList(state)) stepBack();
    else void navigate(mailboxResource.list, { replace: true });
  };
  return (
    <Drawer
      open
      title={loaded.mail?.subject ?? t("mailbox.mail")}
      width="min(760px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
    >
      <MailBody {...loaded} />
    </Drawer>
  );
}
