import { DesktopOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { toSiteAddress } from "./site-address.ts";

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
