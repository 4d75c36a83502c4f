import { useCustomMutation } from "@refinedev/core";
import { App } from "antd";
import { useTranslation } from "react-i18next";
import { toErrorText } from "../parts/error-text.ts";
import { useServices } from "../services.ts";
import type { useProfileTheme } from "../use-color-scheme.ts";

export type Theme = ReturnType<typeof useProfileTheme>;

/** Writes the theme into the profile and draws in it once the server has taken it. */
export function useChangeTheme(): (theme: Theme) => void {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const { session } = useServices();
  const { mutateAsync } = useCustomMutation();
  return (theme) => {
    const change = async () => {
      await mutateAsync({
        url: "/api/users/profile/",
        method: "put",
        values: { admin_theme: theme },
        errorNotification: false,
      });
      await session.restore();
    };
    change().catch((error: unknown) => {
      notification.error({ message: t("palette.themeFailed"), description: toErrorText(error, t) });
    });
  };
}
