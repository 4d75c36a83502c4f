import "./mailbox.css";
import { ReloadOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { PageHeader } from "../navigation/page-header.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { RowsSkeleton } from "../parts/skeletons.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { EmptyState } from "../ui/states.tsx";
import { MailTable } from "./mail-table.tsx";
import { useMailbox } from "./use-mailbox.ts";

function Mails({ query, mails }: ReturnType<typeof useMailbox>) {
  const { t } = useTranslation();
  if (query.isError) {
    return (
      <ErrorState title={t("errors.loadMailbox")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (!mails) return <RowsSkeleton />;
  if (mails.length === 0) return <EmptyState title={t("mailbox.none")} text={t("mailbox.noneHelp")} />;
  return <MailTable mails={mails} isFetching={query.isFetching} />;
}

/** `/admin/mailbox`: what a site in development would have sent. One mail opens over the list. */
export function MailboxPage() {
  const { t } = useTranslation();
  const mailbox = useMailbox();
  return (
    <>
      <PageHeader
        title={t("nav.mailbox")}
        text={t("mailbox.intro")}
        actions={
          <Button
            icon={<ReloadOutlined {...DECORATIVE} />}
            loading={mailbox.query.isFetching && !mailbox.query.isPending}
            onClick={() => void mailbox.query.refetch()}
          >
            {t("mailbox.refresh")}
          </Button>
        }
      />
      <Mails {...mailbox} />
      <Outlet />
    </>
  );
}
