import {
  codeSentAnswer,
  type ResetPasswordRequest,
  resetPasswordAnswer,
} from "#contract/accounts/registration.ts";
import type { LoginAnswer } from "#contract/accounts.ts";
import type { AccountServices } from "../account-services.ts";

type Caller = Pick<AccountServices, "getHttp">;

/** Asks for a code to set a new password with. The answer is the same for every address. @throws HttpError */
export async function requestResetCode({ getHttp }: Caller, email: string): Promise<number> {
  const path = "/api/users/password/forgot/";
  const answer = await getHttp().request(path, { method: "POST", body: { email }, schema: codeSentAnswer });
  return answer.retry_after;
}

/** Sets the new password, which ends all sessions. @returns the one that begins with it. @throws HttpError */
export async function resetPassword({ getHttp }: Caller, body: ResetPasswordRequest): Promise<LoginAnswer> {
  const path = "/api/users/password/reset/";
  const answer = await getHttp().request(path, { method: "POST", body, schema: resetPasswordAnswer });
  return answer.session;
}
