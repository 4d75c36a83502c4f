import { App } from "antd";
import { useTranslation } from "react-i18next";
import { useSaveProfile } from "../preferences/preferences.ts";
import { setThemePreview, type Theme } from "../theme-preview.ts";
import { toErrorText } from "../ui/errors.tsx";

/** Draws in a theme at once and saves it to the profile; where that fails the profile's own comes back, and a notice says so. */
export function useChangeTheme(): (theme: Theme) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const saveProfile = useSaveProfile();
  return (theme) => {
    setThemePreview(theme);
    saveProfile({ admin_theme: theme })
      .catch((error: unknown) => {
        notification.error({
          role: "alert",
          message: t("palette.themeFailed"),
          description: toErrorText(error, t),
        });
      })
      .finally(() => setThemePreview(null));
  };
}
