import "./mailbox.css";
import { ReloadOutlined } from "@ant-design/icons";
import { Button, Table, type TableProps } from "antd";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useNavigate } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import type { MailboxEntry } from "#contract/mail/messages.ts";
import { toMailAddress } from "#resources/screens.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { EmptyState, RowsSkeleton } from "../ui/states.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import { OPENED_FROM_LIST } from "../views/state/list-context.ts";
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

/** A row for each mail; its subject is the link, a click anywhere on the row does the same. */
function MailTable({ mails, isFetching }: { mails: MailboxEntry[]; isFetching: boolean }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const columns: TableProps<MailboxEntry>["columns"] = [
    {
      key: "subject",
      title: t("mailbox.subject"),
      className: "text-cell",
      render: (_value, { file, subject }) => (
        <Link to={toMailAddress(file)} state={OPENED_FROM_LIST} onClick={(event) => event.stopPropagation()}>
          {subject || file}
        </Link>
      ),
    },
    { key: "to", dataIndex: "to", title: t("mailbox.to"), className: "text-cell" },
    {
      key: "date",
      title: t("mailbox.date"),
      className: "fixed-cell",
      render: (_value, { date }) => formatDateTime(date, toLanguage(i18n.language)),
    },
  ];
  return (
    <Table<MailboxEntry>
      rowKey="file"
      size="middle"
      className="rows"
      aria-busy={isFetching}
      columns={columns}
      dataSource={mails}
      pagination={false}
      scroll={{ x: true }}
      onRow={({ file }) => ({
        onClick() {
          // Text that was just marked must not open a mail.
          if (window.getSelection()?.toString()) return;
          void navigate(toMailAddress(file), { state: OPENED_FROM_LIST });
        },
      })}
    />
  );
}
