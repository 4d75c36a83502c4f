import { type FormEvent, useEffect, useState } from "react";
import { findRegistrationFaults, trimRegistration } from "#contract/accounts/account-rules.ts";
import { setupState } from "#contract/accounts/registration.ts";
import { loginAnswer } from "#contract/accounts.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { useFormFields } from "../../ui/use-form-fields.ts";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import { forgetToken, takeToken } from "../sign-in/setup-page.tsx";

export type SetupServices = Pick<AccountServices, "getSession" | "getHttp" | "goTo">;

const SETUP_PATH = "/api/users/setup/";

export type SetupAccess =
  | { state: "asking" }
  | { state: "unreachable" }
  | { state: "no-token" }
  | { state: "closed" }
  | { state: "open"; token: string };

/** Whether the site still has no owner, and this browser the link. */
export function useSetupAccess({ getHttp }: SetupServices) {
  const [access, setAccess] = useState<SetupAccess>({ state: "asking" });
  useEffect(() => {
    let isLeft = false;
    const ask = () => {
      takeToken();
      const toAccess = (isOpen: boolean): SetupAccess => {
        if (!isOpen) return { state: "closed" };
        // As it is by now: an older question may be answered last.
        const token = takeToken();
        return token ? { state: "open", token } : { state: "no-token" };
      };
      getHttp()
        .request(SETUP_PATH, { schema: setupState })
        .then(({ is_open }) => !isLeft && setAccess(toAccess(is_open)))
        .catch((error: unknown) => {
          console.warn("The server could not be asked whether the site has an owner.", error);
          if (!isLeft) setAccess({ state: "unreachable" });
        });
    };
    ask();
    // The link, opened where this page is open already: browsers load nothing for it.
    const onHash = () => window.location.hash !== "" && ask();
    window.addEventListener("hashchange", onHash);
    return () => {
      isLeft = true;
      window.removeEventListener("hashchange", onHash);
    };
  }, [getHttp]);
  return { access, close: () => setAccess({ state: "closed" }) };
}

const SETUP_FIELDS = ["username", "email", "password", "password_confirm"] as const;

/** The owner's account: typed, checked, made, and on to the console. */
export function useSetupForm(
  { getSession, getHttp, goTo }: SetupServices,
  token: string,
  onClosed: () => void,
) {
  const t = useAccountText();
  const [phase, setPhase] = useState<"idle" | "submitting" | "done">("idle");
  const form = useFormFields({
    fields: SETUP_FIELDS,
    findErrors: (values) => toFaultTexts(findRegistrationFaults(trimRegistration(values)), t),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle" || !form.checkAll()) return;
    setPhase("submitting");
    try {
      const body = { token, ...trimRegistration(form.read()) };
      const answer = await getHttp().request(SETUP_PATH, { method: "POST", body, schema: loginAnswer });
      forgetToken();
      getSession().adopt(answer);
      setPhase("done");
      goTo("/admin");
    } catch (error) {
      setPhase("idle");
      if (error instanceof HttpError && error.code === "setup_closed") return onClosed();
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("account:setup.failed"), t));
    }
  }

  return { form, phase, submit };
}
