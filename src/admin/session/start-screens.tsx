import "./start-failed.css";
import { Button } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { toSecurityAddress } from "../navigation/addresses.ts";
import { toErrorText } from "../ui/errors.tsx";

/** Stands where the console will be, until the first screen's own file is here. */
export function StartingScreen() {
  const { t } = useTranslation();
  return (
    <main className="start">
      <p role="status">{t("states.loading")}</p>
    </main>
  );
}

interface StartFailedProps {
  error: unknown;
  /** Settles when the attempt is over; another failure is drawn here again. */
  onRetry: () => Promise<void>;
  /** Absent where nobody is known to be signed in. */
  onLogOut: (() => Promise<void>) | undefined;
}

/** One at a time: a button that is pressed again while its work goes on starts nothing. */
function useBusy(work: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  async function run(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    await work();
    setBusy(false);
  }
  return { loading: isBusy, onClick: () => void run() };
}

/** The console's bar and one box: there are no screens yet. */
function InPlace({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="admin start-failed">
      <title>{`${title} · ${t("layout.brand")}`}</title>
      <header className="admin-header">
        <span className="brand">{t("layout.brand")}</span>
      </header>
      <main>
        <div className="state">{children}</div>
      </main>
    </div>
  );
}

/** In place of the console, when who this is and what they may do could not be asked. */
export function StartFailed({ error, onRetry, onLogOut }: StartFailedProps) {
  const { t } = useTranslation();
  const [attempts, setAttempts] = useState(1);
  const retry = useBusy(async () => {
    await onRetry();
    setAttempts((count) => count + 1);
  });
  const logOut = useBusy(async () => onLogOut?.());
  return (
    <InPlace title={t("errors.startFailed")}>
      {/* A new element for each attempt, so that the same words are read out again. */}
      <div key={attempts} role="alert">
        <h1>{t("errors.startFailed")}</h1>
        <p>{toErrorText(error, t)}</p>
        <p>{t("errors.startFailedHelp")}</p>
      </div>
      <div className="state-actions">
        <Button type="primary" {...retry}>
          {t("actions.retry")}
        </Button>
        {onLogOut && <Button {...logOut}>{t("layout.logOut")}</Button>}
      </div>
    </InPlace>
  );
}

/** In place of the console, for somebody whose time to set a second factor up is over. */
export function FactorOwed({ onLogOut }: { onLogOut: () => Promise<void> }) {
  const { t, i18n } = useTranslation();
  const logOut = useBusy(onLogOut);
  return (
    <InPlace title={t("factor.closed")}>
      <div role="alert">
        <h1>{t("factor.closed")}</h1>
        <p>{t("factor.closedText")}</p>
        <p>{t("factor.closedHelp")}</p>
      </div>
      <div className="state-actions">
        <Button type="primary" href={toSecurityAddress(toLanguage(i18n.language))}>
          {t("factor.setUp")}
        </Button>
        <Button {...logOut}>{t("layout.logOut")}</Button>
      </div>
    </InPlace>
  );
}
