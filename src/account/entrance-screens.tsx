import type { DataOf } from "#contract/page.ts";
import { AccountArea } from "./account-area.tsx";
import type { GuestTexts } from "./account-text.tsx";
import { LoginPage } from "./login/login-page.tsx";
import { RegisterPage } from "./register/register-page.tsx";

export type EntranceScreenData = DataOf<"login" | "register">;

/** The two ways in. One chunk: they lead to each other, and bench/size-budget.mjs keeps it small. */
export function EntranceScreen({ data, texts }: { data: EntranceScreenData; texts: GuestTexts }) {
  return (
    <AccountArea texts={texts}>{data.screen === "login" ? <LoginPage /> : <RegisterPage />}</AccountArea>
  );
}
