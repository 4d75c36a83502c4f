import { useCallback, useState } from "react";
import { type MailState, type OwnMailAddress, ownMailAddress } from "#contract/mail/address.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-area.tsx";
import { toFullTime } from "./activity/moment.tsx";
import { useProfile } from "./own-profile.tsx";
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
function useMailAddress(): MailAddress {
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

/** Own wish: the person stopped it, or said that they don't want it. */
const isOwnWish = ({ cause }: MailState) => cause === "complaint" || cause === "unsubscribe";

/** What is still sent there while something speaks against the address. */
function StillSent({ scope }: MailState) {
  const t = useAccountText();
  if (scope === null) return null;
  return <p>{t(scope === "all" ? "profile:mailAddress.stopsAll" : "profile:mailAddress.stopsOptional")}</p>;
}

/** Shown where mail to the person comes back or is stopped: why, and what they can do. Nothing while it arrives. */
export function MailAddressCard({ onChangeAddress }: { onChangeAddress: () => void }) {
  const t = useAccountText();
  const { lang } = usePage();
  const { services } = useProfile();
  const { state, isTrying, error, tryAgain } = useMailAddress();
  const { email = "", problem, can_try, tried_at, next_try_at } = state ?? {};
  if (!problem) return null;
  const isWaiting = next_try_at ? Date.parse(next_try_at) > services.now() : false;
  const isTried = tried_at ? Date.parse(tried_at) >= Date.parse(problem.since) : false;
  const kind = problem.cause === "bounce" ? "returned" : "stopped";
  return (
    <section className="mail-address" aria-labelledby="mail-address-title">
      <h2 id="mail-address-title">
        <span aria-hidden="true">! </span>
        {t(`profile:mailAddress.${kind}Title`)}
      </h2>
      <p>{t(`profile:mailAddress.${kind}`, { email, reason: problem.reason })}</p>
      <StillSent {...problem} />
      {isTried && <p>{t("profile:mailAddress.tried")}</p>}
      {can_try && isWaiting && next_try_at && (
        <p>{t("profile:mailAddress.later", { moment: toFullTime(next_try_at, lang) })}</p>
      )}
      <div className="alert" role="alert">
        {error}
      </div>
      <div className="mail-address-buttons">
        {can_try && !isWaiting && (
          <button type="button" className="button" disabled={isTrying} onClick={() => void tryAgain()}>
            {t(isOwnWish(problem) ? "profile:mailAddress.getAgain" : "profile:mailAddress.tryAgain")}
          </button>
        )}
        <button type="button" className="button-quiet" onClick={onChangeAddress}>
          {t("profile:mailAddress.change")}
        </button>
      </div>
    </section>
  );
}
