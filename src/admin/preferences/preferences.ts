import { useCustomMutation } from "@refinedev/core";
import { useCallback } from "react";
import type { AccountProfile } from "#contract/accounts.ts";
import { ownProfile } from "#contract/own-account.ts";
import { useServices } from "../services.ts";

type ProfileChange = Partial<Pick<AccountProfile, "admin_theme" | "admin_language">>;

/**
 * Saves preferences into the signed-in person's profile, and has the session say so: here, and by its storage in all tabs.
 * Rejects with the provider's error where nothing was saved.
 */
export function useSaveProfile(): (change: ProfileChange) => Promise<void> {
  const { session } = useServices();
  const { mutateAsync } = useCustomMutation();
  return useCallback(
    async (change) => {
      const { data } = await mutateAsync({
        url: "/api/users/profile/",
        method: "put",
        values: change,
        successNotification: false,
        errorNotification: false,
      });
      ownProfile.parse(data);
      await session.restore().catch((error: unknown) => {
        // It is saved; the session hears of it the next time that it is confirmed.
        console.warn("The session could not be asked for the changed profile.", error);
      });
    },
    [mutateAsync, session],
  );
}
