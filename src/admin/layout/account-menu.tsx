import "./account-menu.css";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { LanguageSwitch } from "./language-switch.tsx";
import { LogOutButton } from "./log-out-button.tsx";
import { SiteLink } from "./site-link.tsx";

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
