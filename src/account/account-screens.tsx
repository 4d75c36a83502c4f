import type { DataOf } from "#contract/page.ts";
import { AccountArea } from "./account-area.tsx";
import type { GuestTexts } from "./account-text.tsx";
import { ForgotPasswordPage } from "./forgot-password/forgot-password-page.tsx";
import { SetupPage } from "./setup/setup-page.tsx";
import { UnsubscribePage } from "./unsubscribe-page.tsx";
import { VerifyEmailPage } from "./verify-email/verify-email-page.tsx";

export type AccountScreenData = DataOf<"verify-email" | "forgot-password" | "setup" | "unsubscribe">;

function toScreen(data: AccountScreenData) {
  switch (data.screen) {
    case "verify-email":
      return <VerifyEmailPage />;
    case "forgot-password":
      return <ForgotPasswordPage />;
    case "setup":
      return <SetupPage />;
    case "unsubscribe":
      return <UnsubscribePage state={data.unsubscribe} />;
  }
}

/** The account's screens for everybody that a link or a code leads to, with their texts. */
export function AccountScreen({ data, texts }: { data: AccountScreenData; texts: GuestTexts }) {
  return <AccountArea texts={texts}>{toScreen(data)}</AccountArea>;
}
