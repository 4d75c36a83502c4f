import { App, Radio, Switch } from "antd";
import { type ReactNode, useId, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import {
  getThemePreview,
  setThemePreview,
  subscribeThemePreview,
  type Theme,
  useSaveProfile,
  useShowLanguage,
} from "../preferences/preferences.ts";
import { useServices } from "../services.ts";
import { setShortcutsEnabled } from "../shortcuts/shortcuts.ts";
import { useShortcutsEnabled } from "../shortcuts/use-shortcut.ts";
import { toErrorText } from "../ui/errors.tsx";

interface PreferenceOptions<T> {
  /** What counts without a choice of this moment. */
  saved: T;
  /** Draws the console as chosen, before it is saved. */
  show: (value: T) => void;
  /** Rejects where it isn't saved. */
  save: (value: T) => Promise<void>;
  /** After a success or a failure: what is saved counts again. */
  settle?: () => void;
}

type SavePhase = "idle" | "saving" | "saved" | "failed";

/**
 * A preference that counts at once and is saved behind it. Of several choices in a row the last one is sent after the one
 * under way; a failure puts back what was saved and says so.
 */
function usePreference<T>({ saved, show, save, settle }: PreferenceOptions<T>) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const [phase, setPhase] = useState<SavePhase>("idle");
  const turn = useRef(0);
  const line = useRef(Promise.resolve());
  const kept = useRef<{ value: T } | null>(null);

  async function send(mine: number, value: T): Promise<void> {
    if (mine !== turn.current) return;
    try {
      await save(value);
      kept.current = { value };
      if (mine === turn.current) setPhase("saved");
    } catch (error) {
      if (mine !== turn.current) return;
      if (kept.current) show(kept.current.value);
      setPhase("failed");
      notification.error({
        key: "preference",
        role: "alert",
        message: t("settings.notSaved"),
        description: toErrorText(error, t),
      });
    }
    if (mine !== turn.current) return;
    kept.current = null;
    settle?.();
  }

  function choose(value: T): void {
    kept.current ??= { value: saved };
    turn.current += 1;
    const mine = turn.current;
    setPhase("saving");
    show(value);
    line.current = line.current.then(() => send(mine, value));
  }
  return { phase, choose };
}

const THEMES: readonly Theme[] = ["light", "dark", "auto"];

/** What became of the last choice, for eyes and screen readers. A failure has its own notice. */
function Phase({ phase }: { phase: SavePhase }) {
  const { t } = useTranslation();
  return (
    <span className="preference-phase" role="status">
      {phase === "saving" && t("settings.saving")}
      {phase === "saved" && t("settings.saved")}
    </span>
  );
}

interface PreferenceProps {
  label: string;
  help: string;
  phase: SavePhase;
  children: (ids: { "aria-labelledby": string; "aria-describedby": string }) => ReactNode;
}

function Preference({ label, help, phase, children }: PreferenceProps) {
  const id = useId();
  return (
    <div className="preference">
      <div>
        <p id={`${id}-label`} className="preference-label">
          {label} <Phase phase={phase} />
        </p>
        <p id={`${id}-help`} className="preference-help">
          {help}
        </p>
      </div>
      {children({ "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-help` })}
    </div>
  );
}

function ThemePreference() {
  const { t } = useTranslation();
  const { session } = useServices();
  const saveProfile = useSaveProfile();
  const saved = useSyncExternalStore(
    session.subscribe,
    () => session.getAuthState()?.user.profile.admin_theme ?? "auto",
  );
  const preview = useSyncExternalStore(subscribeThemePreview, getThemePreview);
  const { phase, choose } = usePreference<Theme>({
    saved,
    show: setThemePreview,
    save: (theme) => saveProfile({ admin_theme: theme }),
    settle: () => setThemePreview(null),
  });
  return (
    <Preference label={t("settings.theme")} help={t("settings.themeHelp")} phase={phase}>
      {(ids) => (
        <Radio.Group
          {...ids}
          name="admin_theme"
          optionType="button"
          buttonStyle="solid"
          value={preview ?? saved}
          options={THEMES.map((theme) => ({ value: theme, label: t(`settings.themes.${theme}`) }))}
          onChange={({ target }) => choose(THEMES.find((theme) => theme === target.value) ?? saved)}
        />
      )}
    </Preference>
  );
}

function LanguagePreference() {
  const { t, i18n } = useTranslation();
  const show = useShowLanguage();
  const saveProfile = useSaveProfile();
  const lang = toLanguage(i18n.language);
  const { phase, choose } = usePreference<Language>({
    saved: lang,
    show,
    save: (chosen) => saveProfile({ admin_language: chosen }),
  });
  return (
    <Preference label={t("settings.language")} help={t("settings.languageHelp")} phase={phase}>
      {(ids) => (
        <Radio.Group
          {...ids}
          name="admin_language"
          optionType="button"
          buttonStyle="solid"
          value={lang}
          options={LANGUAGES.map((value) => ({
            value,
            label: <span lang={value}>{t(`languages.own.${value}`)}</span>,
          }))}
          onChange={({ target }) => choose(toLanguage(String(target.value)))}
        />
      )}
    </Preference>
  );
}

/** Of this browser alone: who speaks to the computer there needs it off there (WCAG 2.1.4). */
function ShortcutsPreference() {
  const { t } = useTranslation();
  const isEnabled = useShortcutsEnabled();
  return (
    <Preference label={t("shortcuts.enabled")} help={t("shortcuts.enabledHelp")} phase="idle">
      {(ids) => <Switch {...ids} checked={isEnabled} onChange={setShortcutsEnabled} />}
    </Preference>
  );
}

/** How the console looks and speaks: counts at once, and is kept in the profile. */
export function PreferencesCard() {
  const { t } = useTranslation();
  return (
    <section className="settings-card" aria-labelledby="settings-preferences">
      <h2 id="settings-preferences">{t("settings.preferences")}</h2>
      <ThemePreference />
      <LanguagePreference />
      <ShortcutsPreference />
    </section>
  );
}
