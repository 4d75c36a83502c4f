import { useGetIdentity } from "@refinedev/core";
import { useNavigate } from "react-router";
import type { AccountUser } from "#contract/accounts.ts";
import type { PaletteItem } from "./palette-item.ts";
import { rememberRecent } from "./recent.ts";

/**
 * Does what was chosen. The palette closes first: where unsaved things are asked about, the question must not lie below it.
 */
export function useChoice(onClose: () => void): (item: PaletteItem, isNewTab: boolean) => void {
  const navigate = useNavigate();
  const { data: user } = useGetIdentity<AccountUser>();
  return (item, isNewTab) => {
    const { target } = item;
    if (user) rememberRecent(user.id, item);
    if ("to" in target && isNewTab) {
      window.open(target.to, "_blank", "noopener");
      return;
    }
    onClose();
    if ("to" in target) void navigate(target.to);
    else target.run();
  };
}
