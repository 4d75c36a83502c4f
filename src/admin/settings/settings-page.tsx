import "../users/users.css";
import { FactsList } from "../ui/panel.tsx";
import "./settings.css";
import { CheckCircleOutlined, MinusCircleOutlined } from "@ant-design/icons";
import { useCustom } from "@refinedev/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccountUser, accountUser, hasAdminAccess } from "#contract/accounts/accounts.ts";
import { toLanguage } from "#contract/languages.ts";
import { toBackEndAddress } from "#providers/http/http.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { SampleCard } from "../sample/sample-card.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { UserAvatar } from "../ui/person.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import { PreferencesCard } from "./preferences-card.tsx";

/** `/admin/settings` (specification B section 2): the profile to read, and what the console is like for its reader. */
export function SettingsPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("nav.settings")} text={t("settings.intro")} />
      <div className="settings">
        <ProfileCard />
        <div>
          <PreferencesCard />
          <SampleCard />
        </div>
      </div>
    </>
  );
}

/** The signed-in person as the server knows them now (specification B section 3, current user and profile). */
function useOwnAccount() {
  const { query } = useCustom({
    url: "/api/users/me/",
    method: "get",
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: accountUser.parse(data) }) },
    errorNotification: false,
  });
  return { query, account: accountUser.safeParse(query.data?.data).data };
}

/** The picture of the profile; initials where there is none, or where it can't be shown. The name stands beside it. */
function OwnAvatar({ account }: { account: AccountUser }) {
  const { i18n } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const { id, display_name, username, profile } = account;
  if (profile.avatar && !isBroken)
    return (
      <img
        className="own-avatar"
        src={toBackEndAddress(profile.avatar)}
        alt=""
        onError={() => setBroken(true)}
      />
    );
  return <UserAvatar id={id} name={display_name || username} lang={toLanguage(i18n.language)} />;
}

const SKELETON_ROWS = ["a", "b", "c", "d", "e", "f"];

function Skeleton() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <span className="visually-hidden">{t("states.loading")}</span>
      <div className="profile-skeleton" aria-hidden>
        {SKELETON_ROWS.map((key) => (
          <span key={key} className="skeleton" />
        ))}
      </div>
    </div>
  );
}

function YesNo({ value }: { value: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="yes-no">
      {value ? <CheckCircleOutlined {...DECORATIVE} /> : <MinusCircleOutlined {...DECORATIVE} />}
      {t(value ? "cell.yes" : "cell.no")}
    </span>
  );
}

function Text({ value }: { value: string }) {
  const { t } = useTranslation();
  if (value !== "") return value;
  return (
    <>
      <span aria-hidden>—</span>
      <span className="visually-hidden">{t("cell.empty")}</span>
    </>
  );
}

function Moment({ value, none }: { value: string | null; none?: string }) {
  const { i18n } = useTranslation();
  if (!value) return <Text value={none ?? ""} />;
  return <time dateTime={value}>{formatDateTime(value, toLanguage(i18n.language))}</time>;
}

/** The documented fields of profile and current user, in the order of the screen. */
function useFacts({ profile, ...user }: AccountUser): readonly (readonly [string, ReactNode])[] {
  const { t } = useTranslation();
  const level = t("users.levelChoice", { name: user.access_level_name, level: user.access_level });
  return [
    [t("settings.fields.username"), user.username],
    [t("settings.fields.email"), user.email],
    [t("settings.fields.emailVerified"), <YesNo key="verified" value={user.is_email_verified} />],
    [t("settings.fields.firstName"), <Text key="first" value={profile.first_name} />],
    [t("settings.fields.lastName"), <Text key="last" value={profile.last_name} />],
    [t("settings.fields.accessLevel"), level],
    [
      t("settings.fields.staff"),
      <YesNo key="staff" value={user.is_staff || hasAdminAccess(user.access_level)} />,
    ],
    [t("settings.fields.superuser"), <YesNo key="superuser" value={profile.is_superuser} />],
    [
      t("settings.fields.lastAdminLogin"),
      <Moment key="login" value={profile.last_admin_login} none={t("settings.never")} />,
    ],
    [t("settings.fields.created"), <Moment key="created" value={profile.created_at} />],
    [t("settings.fields.updated"), <Moment key="updated" value={profile.updated_at} />],
  ];
}

function Facts({ account }: { account: AccountUser }) {
  const { t } = useTranslation();
  const facts = useFacts(account);
  return (
    <>
      <div className="profile-head">
        <OwnAvatar account={account} />
        <div>
          <p className="profile-name">{account.display_name || account.username}</p>
          {/* Plain: the profile belongs to the public root. */}
          <a href="/profile">{t("settings.editProfile")}</a>
        </div>
      </div>
      <FactsList className="profile-facts" facts={facts} />
    </>
  );
}

/** Who is signed in, to read (specification B section 2, Settings). */
function ProfileCard() {
  const { t } = useTranslation();
  const { query, account } = useOwnAccount();
  return (
    <section className="settings-card" aria-labelledby="settings-profile">
      <h2 id="settings-profile">{t("settings.profile")}</h2>
      {account ? (
        <Facts account={account} />
      ) : query.isError ? (
        <ErrorState
          title={t("settings.loadFailed")}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton />
      )}
    </section>
  );
}
