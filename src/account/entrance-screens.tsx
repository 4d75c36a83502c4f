import "./account.css";
import type { DataOf } from "#contract/site/pages.ts";
import { AccountArea, type GuestTexts } from "./account-area.tsx";
import { LoginPage } from "./sign-in/login-page.tsx";
import { RegisterPage } from "./sign-in/register-page.tsx";

export type EntranceScreenData = DataOf<"login" | "register">;

/** The two ways in. One chunk: they lead to each other, and bench/size-budget.mjs keeps it small. */
export function EntranceScreen({ data, texts }: { data: EntranceScreenData; texts: GuestTexts }) {
  return (
    <AccountArea texts={texts}>{data.screen === "login" ? <LoginPage /> : <RegisterPage />}</AccountArea>
  );
}
