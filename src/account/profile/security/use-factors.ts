import { startRegistration } from "@simplewebauthn/browser";
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import {
  type Passkey,
  passkeyOptionsAnswer,
  type SecondFactorChanged,
  secondFactorChanged,
  secondFactorState,
} from "#contract/accounts/second-factor.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../../ui/failure-text.ts";
import { useAccountText } from "../../account-area.tsx";
import { useProfile } from "../own-profile.tsx";
import { useLoaded } from "../use-loaded.tsx";

const PATH = "/api/users/second-factor/";

/** What the tab asks before, or shows after, a change. */
export type Open =
  | { kind: "app" }
  | { kind: "remove_app" }
  | { kind: "remove_passkey"; passkey: Passkey }
  | { kind: "rename"; passkey: Passkey }
  | { kind: "new_codes" }
  | { kind: "codes"; codes: readonly string[] };

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** The factors, and the calls that change them. Each may ask first whether it is still the same person. */
export function useFactors() {
  const t = useAccountText();
  const { services, withSession, announce } = useProfile();
  const { getHttp, getSession } = services;
  const load = useCallback(
    () => withSession(() => getHttp().request(PATH, { schema: secondFactorState })),
    [getHttp, withSession],
  );
  const { loaded, change: put, retry } = useLoaded(load);
  const [open, setOpen] = useState<Open | null>(null);
  const [error, setError] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  /** Id of the heading that takes the focus of a button which went with what it took away. */
  const toFocus = useRef<string>(undefined);
  useLayoutEffect(() => {
    // While the recovery codes are shown, the focus is theirs.
    if (open || !toFocus.current) return;
    if (loaded.state === "ready") document.getElementById(toFocus.current)?.focus();
    toFocus.current = undefined;
  }, [loaded, open]);

  function take({ state, recovery_codes }: SecondFactorChanged, done: string): void {
    put(() => state);
    announce(done);
    setOpen(recovery_codes ? { kind: "codes", codes: recovery_codes } : null);
    // Whether something is owed stands in the person too.
    getSession()
      .restore()
      .catch((failure: unknown) => console.warn("The session could not be restored.", failure));
  }

  async function call(path: string, done: string, body?: object, heading?: string): Promise<void> {
    const request = { method: "POST", schema: secondFactorChanged, ...(body && { body }) } as const;
    const changed = await withSession(() => getHttp().request(`${PATH}${path}`, request));
    toFocus.current = heading;
    take(changed, done);
  }

  async function remove(path: string, heading: string): Promise<void> {
    const request = { method: "DELETE", schema: secondFactorChanged } as const;
    const changed = await withSession(() => getHttp().request(`${PATH}${path}`, request));
    toFocus.current = heading;
    take(changed, t("profile:security.removed"));
  }

  async function addPasskey(): Promise<void> {
    if (isAdding) return;
    setError("");
    setIsAdding(true);
    try {
      const ask = { method: "POST", schema: passkeyOptionsAnswer } as const;
      const { options, ticket } = await withSession(() => getHttp().request(`${PATH}passkeys/options/`, ask));
      const optionsJSON = options as Options; // the server's library made them for the browser's
      const passkey = await startRegistration({ optionsJSON });
      await call("passkeys/", t("profile:security.passkeyAdded"), { ticket, passkey });
    } catch (failure) {
      setError(toPasskeyText(failure, t));
    } finally {
      setIsAdding(false);
    }
  }

  async function rename(id: number, name: string): Promise<void> {
    const request = { method: "PATCH", body: { name }, schema: secondFactorState } as const;
    const state = await withSession(() => getHttp().request(`${PATH}passkeys/${id}/`, request));
    put(() => state);
    setOpen(null);
  }

  return { loaded, retry, open, setOpen, error, isAdding, addPasskey, call, remove, rename };
}

function toPasskeyText(failure: unknown, t: ReturnType<typeof useAccountText>): string {
  if (failure instanceof HttpError) return toFailureText(failure, t("profile:security.changeFailed"), t);
  const name = failure instanceof Error ? failure.name : "";
  const isCancelled = name === "NotAllowedError" || name === "AbortError";
  if (name === "InvalidStateError") return t("profile:security.known");
  return t(isCancelled ? "profile:security.notUsed" : "profile:security.unsupported");
}
