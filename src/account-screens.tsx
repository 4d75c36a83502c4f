import type { PageData } from "#contract/page.ts";
import { type AccountTexts, WithAccountTexts } from "./account/account-text.tsx";
import { ForgotPasswordPage } from "./account/forgot-password/forgot-password-page.tsx";
import { LoginPage } from "./account/login/login-page.tsx";
import { RegisterPage } from "./account/register/register-page.tsx";
import { SetupPage } from "./account/setup/setup-page.tsx";
import { UnsubscribePage } from "./account/unsubscribe/unsubscribe-page.tsx";
import { VerifyEmailPage } from "./account/verify-email/verify-email-page.tsx";

export type AccountScreenData = Extract<
  PageData,
  { screen: "login" | "register" | "verify-email" | "forgot-password" | "setup" | "unsubscribe" }
>;

function toScreen(data: AccountScreenData) {
  switch (data.screen) {
    case "login":
      return <LoginPage />;
    case "register":
      return <RegisterPage />;
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

/** The account's screens for everybody, with their texts. One chunk: who opens one of them often goes on to the next. */
export function AccountScreen({ data, texts }: { data: AccountScreenData; texts: AccountTexts }) {
  return <WithAccountTexts texts={texts}>{toScreen(data)}</WithAccountTexts>;
}
