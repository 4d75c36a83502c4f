import { useLogout } from "@refinedev/core";
import { App } from "antd";
import { useTranslation } from "react-i18next";
import { forgetUnsaved, hasUnsaved } from "../session/unsaved.ts";

/** Logs out, after asking where typed things would be lost: the tokens are gone before the browser could ask. */
export function useLogOut(): { logOut: () => void; isPending: boolean } {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { mutate: logout, isPending } = useLogout();
  function ask(): void {
    modal.confirm({
      title: t("unsaved.title"),
      content: t("unsaved.text"),
      okText: t("unsaved.leave"),
      okButtonProps: { danger: true },
      cancelText: t("unsaved.stay"),
      autoFocusButton: "cancel",
      onOk() {
        forgetUnsaved();
        logout();
      },
    });
  }
  return { logOut: () => (hasUnsaved() ? ask() : logout()), isPending };
}
