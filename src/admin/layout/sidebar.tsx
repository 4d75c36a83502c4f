import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { NavLink } from "react-router";
import { ScreenIcon } from "./screen-icon.tsx";
import type { Screen } from "./use-screens.ts";

/** Every other address lies below it. */
const HOME = "/admin";

export const SIDEBAR_ID = "sidebar";

interface SidebarProps {
  screens: readonly Screen[];
  isHidden: boolean;
  ref: Ref<HTMLElement>;
}

/** Links to the screens that the person may see. */
export function Sidebar({ screens, isHidden, ref }: SidebarProps) {
  const { t } = useTranslation();
  return (
    <nav ref={ref} id={SIDEBAR_ID} className="sidebar" aria-label={t("layout.navigation")} inert={isHidden}>
      <ul>
        {screens.map(({ name, to, labelKey, icon }) => (
          <li key={name}>
            <NavLink to={to} end={to === HOME}>
              <ScreenIcon name={icon} />
              {t(labelKey)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
