import { codeSentAnswer } from "#contract/accounts/registration.ts";
import type { AccountServices } from "../account-services.ts";

/** Asks for a code to an address. @returns seconds until another one may be asked for. @throws HttpError */
export async function requestCode(
  { getHttp }: Pick<AccountServices, "getHttp">,
  email: string,
): Promise<number> {
  const answer = await getHttp().request("/api/users/request-verification/", {
    method: "POST",
    body: { email },
    schema: codeSentAnswer,
  });
  return answer.retry_after;
}
