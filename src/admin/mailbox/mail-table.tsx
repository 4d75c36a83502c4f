import { Table, type TableProps } from "antd";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import type { MailboxEntry } from "#contract/mailbox.ts";
import { toMailAddress } from "#resources/mailbox.ts";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import { OPENED_FROM_LIST } from "../views/state/list-context.ts";

/** A row for each mail; its subject is the link, a click anywhere on the row does the same. */
export function MailTable({ mails, isFetching }: { mails: MailboxEntry[]; isFetching: boolean }) {
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
