import { useCallback, useState } from "react";
import { type OwnMailAddress, ownMailAddress } from "#contract/mail/address.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { useAccountText } from "../account-text.tsx";
import { useProfile } from "./profile-context.tsx";
import { useLoaded } from "./use-loaded.tsx";

const PATH = "/api/users/mail-address/";

interface MailAddress {
  /** Undefined: not known, and then nothing is said. */
  state: OwnMailAddress | undefined;
  isTrying: boolean;
  /** Why trying again did not work. */
  error: string;
  tryAgain: () => Promise<void>;
}

/** Whether mail reaches the person, asked when the profile opens and when the address is another. */
export function useMailAddress(): MailAddress {
  const t = useAccountText();
  const { profile, services, withSession, announce } = useProfile();
  const [isTrying, setIsTrying] = useState(false);
  const [error, setError] = useState("");
  const { getHttp } = services;
  const { email } = profile;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address asks again
  const load = useCallback(() => getHttp().request(PATH, { schema: ownMailAddress }), [getHttp, email]);
  const { loaded, change } = useLoaded(load);

  async function tryAgain(): Promise<void> {
    setIsTrying(true);
    setError("");
    try {
      const path = `${PATH}try/`;
      const answer = await withSession(() =>
        getHttp().request(path, { method: "POST", schema: ownMailAddress }),
      );
      const isSent = answer.tried_at !== null;
      change(() => answer);
      if (isSent) announce(t("profile:mailAddress.sent", { email: answer.email }));
    } catch (failure) {
      setError(toFailureText(failure, t("profile:mailAddress.failed"), t));
    }
    setIsTrying(false);
  }

  return { state: loaded.state === "ready" ? loaded.value : undefined, isTrying, error, tryAgain };
}
