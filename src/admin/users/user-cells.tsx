import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  MinusCircleOutlined,
  StopOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { Tag } from "antd";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import { parseUser } from "#resources/user-record.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { EmailText, UserAvatar } from "../ui/person.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import type { RowCells } from "../views/list/columns/columns.ts";

interface CellProps {
  record: ModelRecord;
}

function UsernameCell({ record }: CellProps) {
  const { t, i18n } = useTranslation();
  const { session } = useServices();
  const user = parseUser(record);
  if (!user) return record.repr;
  const { id, username, is_active, admission } = user;
  return (
    <span className="user-cell">
      <UserAvatar id={id} name={record.repr} lang={toLanguage(i18n.language)} />
      <span className="user-names">
        <span className="user-name">
          {record.repr}
          {session.getAuthState()?.user.id === id && <Tag>{t("users.you")}</Tag>}
          {admission !== "admitted" && (
            <Tag
              icon={
                admission === "waiting" ? (
                  <ClockCircleOutlined {...DECORATIVE} />
                ) : (
                  <MinusCircleOutlined {...DECORATIVE} />
                )
              }
              className="suspended-tag"
            >
              {t(`users.admission.${admission}`)}
            </Tag>
          )}
          {!is_active && (
            <Tag icon={<StopOutlined {...DECORATIVE} />} className="suspended-tag">
              {t("users.suspended")}
            </Tag>
          )}
        </span>
        {record.repr !== username && <span className="user-username">{username}</span>}
      </span>
    </span>
  );
}

/** Mail that doesn't reach the person is marked; pointing at it shows why, and screen readers read it out. */
function EmailCell({ record }: CellProps) {
  const { t } = useTranslation();
  const user = parseUser(record);
  const { email = "", mail_state } = user ?? {};
  if (!mail_state) return <EmailText email={email} />;
  return (
    <span className="email-cell">
      <EmailText email={email} />
      <Tag icon={<WarningOutlined {...DECORATIVE} />} className="suspended-tag" title={mail_state.reason}>
        {t(`users.mailStates.${mail_state.state}`)}
        <span className="visually-hidden">: {mail_state.reason}</span>
      </Tag>
    </span>
  );
}

function StatusCell({ record }: CellProps) {
  const { t } = useTranslation();
  const isStaff = record.is_staff === true;
  return (
    <Tag
      className={isStaff ? "status-tag is-on" : "status-tag"}
      icon={isStaff ? <CheckCircleOutlined {...DECORATIVE} /> : <MinusCircleOutlined {...DECORATIVE} />}
    >
      {t(isStaff ? "users.status.active" : "users.status.inactive")}
    </Tag>
  );
}

function LevelCell({ record }: CellProps) {
  const user = parseUser(record);
  if (!user) return null;
  return (
    <span className="level-cell">
      {user.access_level_name} <span className="level-number">({user.access_level})</span>
    </span>
  );
}

function JoinedCell({ record }: CellProps) {
  const { i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const joined = parseUser(record)?.date_joined ?? "";
  const day = new Date(joined);
  if (Number.isNaN(day.getTime())) return joined;
  // By the reader's calendar: near midnight the day is another one elsewhere.
  const text = new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(day);
  return (
    <time dateTime={joined} title={formatDateTime(joined, lang)}>
      {text}
    </time>
  );
}

function VerifiedCell({ record }: CellProps) {
  const { t } = useTranslation();
  const isVerified = record.is_email_verified === true;
  return (
    <span className={isVerified ? "verified is-on" : "verified"}>
      {isVerified ? <CheckCircleOutlined {...DECORATIVE} /> : <MinusCircleOutlined {...DECORATIVE} />}
      {t(isVerified ? "cell.yes" : "cell.no")}
    </span>
  );
}

/** Columns of users that say more than their value (specification B section 2). */
export const USER_CELLS: RowCells = {
  username: UsernameCell,
  email: EmailCell,
  is_staff: StatusCell,
  access_level: LevelCell,
  date_joined: JoinedCell,
  is_email_verified: VerifiedCell,
};
