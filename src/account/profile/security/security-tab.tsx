import "./security.css";
import type { Passkey, SecondFactorState } from "#contract/accounts/second-factor.ts";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { useAccountText } from "../../account-area.tsx";
import { Moment, toFullTime } from "../activity/moment.tsx";
import { useProfile } from "../own-profile.tsx";
import { RowsFailed, RowsSkeleton } from "../use-loaded.tsx";
import { AddAppDialog, ConfirmDialog, RecoveryCodesDialog, RenameDialog } from "./dialogs.tsx";
import { type Open, useFactors } from "./use-factors.ts";

/** Whether the person has one, and what happens if not. */
function Summary({ state }: { state: SecondFactorState }) {
  const t = useAccountText();
  const { lang } = usePage();
  const { services } = useProfile();
  const isOn = state.app_since !== null || state.passkeys.length > 0;
  const isOver = state.due_at !== null && Date.parse(state.due_at) <= services.now();
  const due = state.due_at && toFullTime(state.due_at, lang);
  return (
    <p className="factor-summary" data-state={isOn ? "on" : state.is_required ? "owed" : "off"}>
      <span aria-hidden="true">{isOn ? "✓ " : "○ "}</span>
      {t(isOn ? "profile:security.on" : "profile:security.off")}
      {!isOn && state.is_required && ` ${t("profile:security.required")}`}
      {!isOn &&
        due &&
        ` ${isOver ? t("profile:security.overdue") : t("profile:security.due", { date: due })}`}
    </p>
  );
}

/** A sentence with a moment in it. */
function When({ text, at }: { text: string; at: string }) {
  const [before, after] = text.split("{{when}}");
  return (
    <>
      {before}
      <Moment at={at} />
      {after}
    </>
  );
}

function PasskeyRow({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const t = useAccountText();
  const { name, created_at, last_used_at, is_synced } = passkey;
  return (
    <li className="factor-row">
      <p>{name}</p>
      <p className="activity-facts">
        <When text={t("profile:security.made")} at={created_at} />
        {last_used_at && (
          <>
            {" · "}
            <When text={t("profile:security.used")} at={last_used_at} />
          </>
        )}
        {is_synced && ` · ${t("profile:security.synced")}`}
      </p>
      <div className="factor-buttons">
        <button
          type="button"
          className="button-quiet"
          aria-label={t("profile:security.renameNamed", { name })}
          onClick={() => onOpen({ kind: "rename", passkey })}
        >
          {t("profile:security.rename")}
        </button>
        <button
          type="button"
          className="button-quiet"
          aria-label={t("profile:security.removeNamed", { name })}
          onClick={() => onOpen({ kind: "remove_passkey", passkey })}
        >
          {t("profile:security.remove")}
        </button>
      </div>
    </li>
  );
}

/** How the person logs in beside the password: passkeys, an app, recovery codes. */
export default function SecurityTab() {
  const t = useAccountText();
  const { loaded, retry, open, setOpen, error, isAdding, addPasskey, call, remove, rename } = useFactors();
  switch (loaded.state) {
    case "loading":
      return <RowsSkeleton label={t("profile:security.loading")} />;
    case "failed":
      return <RowsFailed text={t("profile:security.failed")} error={loaded.error} onRetry={retry} />;
  }
  const state = loaded.value;
  const isOn = state.app_since !== null || state.passkeys.length > 0;
  const isLast = state.passkeys.length + Number(state.app_since !== null) === 1;
  const close = () => setOpen(null);
  // The server refuses the second one; the person knows before they try.
  const lastKey = state.is_required ? "profile:security.removeNeeded" : "profile:security.removeLast";
  const last = isLast ? ` ${t(lastKey)}` : "";
  return (
    <>
      <section className="tab-section" aria-labelledby="security-factors">
        <h2 id="security-factors">{t("profile:security.title")}</h2>
        <p>{t("profile:security.lead")}</p>
        <Summary state={state} />
      </section>
      <section className="tab-section" aria-labelledby="security-passkeys">
        <h2 id="security-passkeys" tabIndex={-1}>
          {t("profile:security.passkeys")}
        </h2>
        <p>{t("profile:security.passkeysText")}</p>
        {state.passkeys.length === 0 ? (
          <p className="activity-facts">{t("profile:security.noPasskeys")}</p>
        ) : (
          <ul className="rows">
            {state.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
            ))}
          </ul>
        )}
        <FormAlert>{error}</FormAlert>
        {state.can_use_passkeys ? (
          <button type="button" className="button" aria-busy={isAdding} onClick={() => void addPasskey()}>
            {t(isAdding ? "profile:security.adding" : "profile:security.addPasskey")}
          </button>
        ) : (
          <p className="activity-facts">{t("profile:security.elsewhere")}</p>
        )}
      </section>
      <section className="tab-section" aria-labelledby="security-app">
        <h2 id="security-app" tabIndex={-1}>
          {t("profile:security.app")}
        </h2>
        <p>{t("profile:security.appText")}</p>
        {state.app_since ? (
          <>
            <p>
              <When text={t("profile:security.appSince")} at={state.app_since} />
            </p>
            <button
              type="button"
              className="button-quiet"
              aria-label={t("profile:security.removeNamed", { name: t("profile:security.app") })}
              onClick={() => setOpen({ kind: "remove_app" })}
            >
              {t("profile:security.remove")}
            </button>
          </>
        ) : (
          <button type="button" className="button-quiet" onClick={() => setOpen({ kind: "app" })}>
            {t("profile:security.addApp")}
          </button>
        )}
      </section>
      {isOn && (
        <section className="tab-section" aria-labelledby="security-codes">
          <h2 id="security-codes">{t("profile:security.codes")}</h2>
          <p>{t("profile:security.codesText")}</p>
          <p>{t("profile:security.codesLeft", { count: state.recovery_codes_left })}</p>
          <button type="button" className="button-quiet" onClick={() => setOpen({ kind: "new_codes" })}>
            {t("profile:security.newCodes")}
          </button>
        </section>
      )}
      {open?.kind === "app" && (
        <AddAppDialog
          confirm={(code) => call("app/confirm/", t("profile:security.appDone"), { code }, "security-app")}
          onClose={close}
        />
      )}
      {open?.kind === "remove_app" && (
        <ConfirmDialog
          title={t("profile:security.removeTitle", { name: t("profile:security.app") })}
          text={`${t("profile:security.removeAppText")}${last}`}
          confirmLabel={t("profile:security.remove")}
          confirm={() => remove("app/", "security-app")}
          onClose={close}
        />
      )}
      {open?.kind === "remove_passkey" && (
        <ConfirmDialog
          title={t("profile:security.removeTitle", { name: open.passkey.name })}
          text={`${t("profile:security.removePasskeyText")}${last}`}
          confirmLabel={t("profile:security.remove")}
          confirm={() => remove(`passkeys/${open.passkey.id}/`, "security-passkeys")}
          onClose={close}
        />
      )}
      {open?.kind === "rename" && (
        <RenameDialog
          name={open.passkey.name}
          rename={(name) => rename(open.passkey.id, name)}
          onClose={close}
        />
      )}
      {open?.kind === "new_codes" && (
        <ConfirmDialog
          title={t("profile:security.newCodesTitle")}
          text={t("profile:security.newCodesText")}
          confirmLabel={t("profile:security.newCodes")}
          confirm={() => call("recovery-codes/", "")}
          onClose={close}
        />
      )}
      {open?.kind === "codes" && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
    </>
  );
}
