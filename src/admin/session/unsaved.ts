import { useLogout } from "@refinedev/core";
import { App } from "antd";
import { useTranslation } from "react-i18next";

const forms = new Set<() => boolean>();

/** Registers a form that may hold typed things. @returns how to take it back. */
export function holdUnsaved(isDirty: () => boolean): () => void {
  forms.add(isDirty);
  return () => forms.delete(isDirty);
}

/** Whether some form on the screen holds typed things. Whatever leaves the document without the router asks here first. */
export function hasUnsaved(): boolean {
  return [...forms].some((isDirty) => isDirty());
}

/** The person has chosen to lose them: nothing asks again on the way out. */
function forgetUnsaved(): void {
  forms.clear();
}

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
