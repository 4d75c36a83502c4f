import type { ReactNode } from "react";
import { useAccountText } from "../../account-text.tsx";
import { AppearanceSettings, type AskBeforeLoss } from "./appearance-settings.tsx";
import { OwnData } from "./own-data.tsx";
import { NotificationSettings, PrivacySettings } from "./people-settings.tsx";
import { VoiceSettings } from "./voice-settings.tsx";

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="tab-section" aria-labelledby={`settings-${id}`}>
      <h2 id={`settings-${id}`}>{title}</h2>
      {children}
    </section>
  );
}

/** Every setting is saved when it is changed. */
export function SettingsTab({ askBeforeLoss }: { askBeforeLoss: AskBeforeLoss }) {
  const t = useAccountText();
  return (
    <>
      <Group id="appearance" title={t("profile:settings.appearance")}>
        <AppearanceSettings askBeforeLoss={askBeforeLoss} />
      </Group>
      <Group id="voice" title={t("profile:settings.voice")}>
        <VoiceSettings />
      </Group>
      <Group id="notifications" title={t("profile:settings.notifications")}>
        <NotificationSettings />
      </Group>
      <Group id="privacy" title={t("profile:settings.privacy")}>
        <PrivacySettings />
      </Group>
      <Group id="data" title={t("profile:data.title")}>
        <OwnData />
      </Group>
    </>
  );
}
