import "./account.css";
import type { DataOf } from "#contract/site/pages.ts";
import { AccountArea, type StepTexts } from "./account-area.tsx";
import { AdmissionPage, WaitingPage } from "./sign-in/admission-page.tsx";
import { ForgotPasswordPage } from "./sign-in/forgot-password-page.tsx";
import { SetupPage } from "./sign-in/setup-page.tsx";
import { VerifyEmailPage } from "./sign-in/verify-email-page.tsx";
import { UnsubscribePage } from "./unsubscribe-page.tsx";

export type AccountScreenData = DataOf<
  "verify-email" | "forgot-password" | "setup" | "unsubscribe" | "admission" | "waiting"
>;

function toScreen(data: AccountScreenData, texts: StepTexts) {
  switch (data.screen) {
    case "verify-email":
      return <VerifyEmailPage />;
    case "forgot-password":
      return <ForgotPasswordPage />;
    case "setup":
      return <SetupPage />;
    case "admission":
      return <AdmissionPage texts={texts} />;
    case "waiting":
      return <WaitingPage />;
    case "unsubscribe":
      return <UnsubscribePage state={data.unsubscribe} />;
  }
}

/** The account's screens for everybody that a link or a code leads to, with their texts. */
export function AccountScreen({ data, texts }: { data: AccountScreenData; texts: StepTexts }) {
  return <AccountArea texts={texts}>{toScreen(data, texts)}</AccountArea>;
}
