import { type FormEvent, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { hasAdminAccess } from "#contract/access-levels.ts";
import type { AuthState } from "#providers/auth-state.ts";
import type { Session } from "#providers/session.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-text.tsx";
import {
  checkLogin,
  type LoginErrors,
  type LoginField,
  type LoginValues,
  toLoginErrors,
} from "./login-errors.ts";
import { toSafeRedirect } from "./safe-redirect.ts";

export interface LoginServices {
  getSession: () => Session;
  /** Loads an address as a document: the document decides between the public root and the console. */
  goTo: (address: string) => void;
}

function readValues(form: HTMLFormElement | null): LoginValues {
  const data = form ? new FormData(form) : new FormData();
  return { username: String(data.get("username") ?? ""), password: String(data.get("password") ?? "") };
}

/** Goes to where a signed-in person belongs (specification A 2.7). */
function useArrival(goTo: LoginServices["goTo"]) {
  const { prefix } = usePage();
  const [query] = useSearchParams();
  return ({ user }: AuthState) => {
    const home = hasAdminAccess(user.access_level) ? "/admin" : `${prefix}/dev`;
    goTo(toSafeRedirect(query.get("redirect"), window.location.origin) ?? home);
  };
}

/** Sends a visitor who is signed in already to their target, and leaves everybody else where they are. */
function useRestoredSession(getSession: LoginServices["getSession"], arrive: (state: AuthState) => void) {
  const arriveRef = useRef(arrive);
  useEffect(() => {
    let isLeft = false;
    const restore = () =>
      getSession()
        .restore()
        .then((state) => state && !isLeft && arriveRef.current(state))
        // Nobody asked for this call. The form is the way on, and says what is wrong when it is used.
        .catch((error: unknown) => console.warn("The session could not be restored.", error));
    void restore();
    // The browser's back button brings the page as it was left, which may be after a log-in.
    const onShow = (event: PageTransitionEvent) => event.persisted && void restore();
    window.addEventListener("pageshow", onShow);
    return () => {
      isLeft = true;
      window.removeEventListener("pageshow", onShow);
    };
  }, [getSession]);
}

type LoginPhase = "idle" | "submitting" | "arriving";

/**
 * The log-in form's life: idle, submitting, then on to the target or back with errors. The form keeps its own values, so that what was
 * typed or filled in before hydration stays.
 */
export function useLogin({ getSession, goTo }: LoginServices) {
  const t = useAccountText();
  const formRef = useRef<HTMLFormElement>(null);
  const [isComplete, setIsComplete] = useState(false);
  const [phase, setPhase] = useState<LoginPhase>("idle");
  const [errors, setErrors] = useState<LoginErrors>({});
  const [refusals, setRefusals] = useState(0);
  const arrive = useArrival(goTo);
  useRestoredSession(getSession, arrive);

  useEffect(() => {
    const values = Object.values(readValues(formRef.current));
    setIsComplete(values.every((value) => value.trim() !== ""));
  }, []);

  useEffect(() => {
    if (refusals > 0)
      formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus();
  }, [refusals]);

  function checkField(field: LoginField) {
    const { [field]: error } = checkLogin(readValues(formRef.current), t);
    setErrors((others) => ({ ...others, [field]: error }));
  }

  function noteInput(field: LoginField) {
    const missing = checkLogin(readValues(formRef.current), t);
    setIsComplete(!missing.username && !missing.password);
    setErrors((others) => ({ ...others, [field]: undefined, form: undefined }));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { username, password } = readValues(formRef.current);
    const missing = checkLogin({ username, password }, t);
    setErrors(missing);
    if (phase !== "idle" || missing.username || missing.password) return;
    setPhase("submitting");
    try {
      const state = await getSession().signIn(username.trim(), password);
      setPhase("arriving");
      arrive(state);
    } catch (error) {
      setErrors(toLoginErrors(error, t));
      setPhase("idle");
      setRefusals((count) => count + 1);
    }
  }

  return {
    formRef,
    errors,
    phase,
    canSubmit: isComplete && phase === "idle",
    checkField,
    noteInput,
    submit,
  };
}
