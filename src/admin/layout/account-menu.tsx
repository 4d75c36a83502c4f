import "./account-menu.css";
import { DesktopOutlined, LogoutOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { toSiteAddress } from "../navigation/addresses.ts";
import { useChangeLanguage, useFollowedLanguage } from "../preferences/preferences.ts";
import { useLogOut } from "../session/unsaved.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

const MENU_ID = "account-menu";

/**
 * Where the bar has no room for them: who is signed in, the way to the site, language and log-out. A popover of the browser: it
 * closes by Escape and by a press beside it, and the focus goes back to its button.
 */
export function AccountMenu({ username }: { username: string }) {
  const { t, i18n } = useTranslation();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className="account-button" popoverTarget={MENU_ID}>
        <span className="visually-hidden">{t("layout.account", { username })}</span>
        <span className="account-initial" aria-hidden>
          {username.charAt(0).toLocaleUpperCase(i18n.language)}
        </span>
        <span className="account-name" aria-hidden>
          {username}
        </span>
      </button>
      <div ref={menu} id={MENU_ID} className="account-menu" popover="auto">
        <p className="account-who">
          {t("layout.loggedInAs")}
          <strong>{username}</strong>
        </p>
        <SiteLink />
        <LanguageSwitch />
        <LogOutButton onPress={() => menu.current?.hidePopover?.()} />
      </div>
    </>
  );
}

/** To the public site in the reader's language. Plain: it belongs to the public root, which is another document. */
export function SiteLink() {
  const { t, i18n } = useTranslation();
  return (
    <a className="frame-link" href={toSiteAddress(toLanguage(i18n.language))}>
      <DesktopOutlined {...DECORATIVE} />
      {t("layout.viewSite")}
    </a>
  );
}

/** Two buttons, each named in its own language, so that nobody has to read the other one. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const changeLanguage = useChangeLanguage();
  useFollowedLanguage();
  const current = toLanguage(i18n.language);
  return (
    <fieldset className="language-switch">
      <legend className="visually-hidden">{t("layout.language")}</legend>
      {LANGUAGES.map((lang) => (
        <button
          key={lang}
          type="button"
          lang={lang}
          aria-pressed={lang === current}
          // A double click means one change; a press later on may save again what was not saved.
          onClick={({ detail }) => detail < 2 && changeLanguage(lang)}
        >
          {lang.toUpperCase()}
          <span className="visually-hidden"> – {t(`languages.own.${lang}`)}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** Logs out, as the frame offers it. `onPress`: what lies over the screen has to go before a question may be asked. */
export function LogOutButton({ onPress }: { onPress?: () => void }) {
  const { t } = useTranslation();
  const { logOut, isPending } = useLogOut();
  return (
    <Button
      type="text"
      className="log-out-button"
      icon={<LogoutOutlined {...DECORATIVE} />}
      loading={isPending}
      onClick={() => {
        onPress?.();
        logOut();
      }}
    >
      {t("layout.logOut")}
    </Button>
  );
}
