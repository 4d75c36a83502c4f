import { useEffect, useMemo, useState } from "react";
import { type MailState, type OwnMailAddress, ownMailAddress } from "#contract/mail/address.ts";
import en from "#locales/en/mail-notice.json" with { type: "json" };
import tr from "#locales/tr/mail-notice.json" with { type: "json" };
import { HttpError } from "#providers/http/http.ts";
import { createText } from "#providers/text.ts";
import { SiteLink } from "../ui/links.tsx";
import { usePage } from "../ui/page-context.tsx";
import type { TextKey } from "../ui/public-text.ts";
import { getAccountHttp } from "./account-session.ts";

const TEXTS = { en, tr };
const PROFILE = "/profile";

/** Whether mail reaches who is signed in. */
const askMailAddress = () => getAccountHttp().request("/api/users/mail-address/", { schema: ownMailAddress });

/** Which words say it; undefined: what somebody stopped on purpose, codes apart, is no news. */
function toWords({ cause, scope }: MailState): "returned" | "stopped" | undefined {
  if (cause === "bounce") return "returned";
  return scope === "all" ? "stopped" : undefined;
}

/** Says to a person, on the page that it was first drawn on, that mail to them comes back, or that they get none. The profile says it itself, and more. */
export default function MailNotice({ ask = askMailAddress }: { ask?: () => Promise<OwnMailAddress> }) {
  const { lang, path } = usePage();
  const t = useMemo(
    () => createText<TextKey<{ "mail-notice": typeof en }>>(lang, { "mail-notice": TEXTS[lang] }),
    [lang],
  );
  const [state, setState] = useState<OwnMailAddress>();
  const [shownAt] = useState(path);
  // Without a session the log-in is over again.
  const isNeeded = shownAt !== PROFILE && document.documentElement.dataset.session !== undefined;
  useEffect(() => {
    if (!isNeeded) return;
    ask().then(setState, (error: unknown) => {
      // Signed out meanwhile: there is nobody to notify.
      if (error instanceof HttpError && error.status === 401) return;
      console.warn("Whether mail reaches the person is not known.", error);
    });
  }, [ask, isNeeded]);
  const { email = "", problem } = state ?? {};
  const words = problem ? toWords(problem) : undefined;
  // A screen reader announces what comes into it, so it is there before.
  return (
    <div role="status">
      {words && path === shownAt && (
        <p className="mail-notice">
          {t(`mail-notice:notice.${words}`, { email, reason: problem?.reason ?? "" })}{" "}
          <SiteLink to={PROFILE}>{t("mail-notice:notice.more")}</SiteLink>
        </p>
      )}
    </div>
  );
}
