import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useAccountText } from "../account-area.tsx";
import { useUnsavedInput } from "../require-session.tsx";
import { ActivityList } from "./activity/activity-list.tsx";
import { SessionList } from "./activity/session-list.tsx";
import { AboutCard, ActionsCard, StatsCard } from "./cards.tsx";
import { ChangePasswordDialog } from "./change-password-dialog.tsx";
import { LeaveDialog, useLeaveGuard } from "./editor/leave-guard.tsx";
import { ProfileForm, SaveBar } from "./editor/profile-form.tsx";
import { useProfileEditor } from "./editor/use-profile-editor.ts";
import { MailAddressCard } from "./mail-address-card.tsx";
import { NewAddressCard } from "./new-address-card.tsx";
import { useProfile } from "./own-profile.tsx";
import { ProfileHead } from "./profile-head.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { RowsSkeleton } from "./use-loaded.tsx";

/** Draws QR codes and speaks with authenticators: loaded by who opens it. */
const SecurityTab = lazy(() => import("./security/security-tab.tsx"));

export const TABS = ["about", "activity", "security", "settings"] as const;
export type Tab = (typeof TABS)[number];

/** The open tab stands in the address (`?tab=`), so that a reload, Back and a link find it. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find((known) => known === query.get("tab")) ?? "about";
  const select = (next: Tab) => {
    if (next === tab) return;
    setQuery((before) => {
      before.set("tab", next);
      return before;
    });
  };
  return [tab, select];
}

/** `?dialog=password` opens the dialog: password managers lead here, by /.well-known/change-password, and through the log-in. */
function usePasswordDialog(): [boolean, (isOpen: boolean) => void] {
  const [query, setQuery] = useSearchParams();
  const [isOpen, setIsOpen] = useState(query.get("dialog") === "password");
  const set = (next: boolean) => {
    setIsOpen(next);
    if (!query.has("dialog")) return;
    setQuery(
      (before) => {
        before.delete("dialog");
        return before;
      },
      { replace: true },
    );
  };
  return [isOpen, set];
}

function toNext(key: string, index: number): number | undefined {
  const last = TABS.length - 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index === 0 ? last : index - 1,
    ArrowRight: index === last ? 0 : index + 1,
    Home: 0,
    End: last,
  };
  return steps[key];
}

interface TabsProps {
  tab: Tab;
  onSelect: (tab: Tab) => void;
  /** All panels; only that of the open tab is seen. */
  panels: Readonly<Record<Tab, ReactNode>>;
}

/** Tabs as the ARIA practices have them: one stop of the Tab key, arrows move and open. */
function Tabs({ tab, onSelect, panels }: TabsProps) {
  const t = useAccountText();
  const listRef = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = toNext(event.key, TABS.indexOf(tab));
    const name = next === undefined ? undefined : TABS[next];
    if (!name) return;
    event.preventDefault();
    onSelect(name);
    listRef.current?.querySelector<HTMLElement>(`#profile-tab-${name}`)?.focus();
  };
  return (
    <div className="profile-main">
      <div ref={listRef} className="tab-list" role="tablist" aria-label={t("profile:page.tabs")}>
        {TABS.map((name) => (
          <button
            key={name}
            id={`profile-tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls={`profile-panel-${name}`}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={onKeyDown}
          >
            {t(`profile:page.${name}`)}
          </button>
        ))}
      </div>
      {TABS.map((name) => (
        <div
          key={name}
          id={`profile-panel-${name}`}
          className="tab-panel"
          role="tabpanel"
          aria-labelledby={`profile-tab-${name}`}
          hidden={name !== tab}
        >
          {panels[name]}
        </div>
      ))}
    </div>
  );
}

/** Sessions first: who comes here after a warning wants to end one. */
function ActivityTab() {
  const t = useAccountText();
  return (
    <>
      <section className="tab-section" aria-labelledby="profile-sessions">
        <h2 id="profile-sessions">{t("profile:sessions.title")}</h2>
        <SessionList />
      </section>
      <section className="tab-section" aria-labelledby="profile-activity">
        <h2 id="profile-activity">{t("profile:activity.title")}</h2>
        <ActivityList />
      </section>
    </>
  );
}

/** Head, tabs and cards of the profile. The form keeps its edits while another tab is open. */
export function ProfileScreen({ banner }: { banner: string }) {
  const t = useAccountText();
  const { profile, isLeaving } = useProfile();
  const [tab, selectTab] = useTab();
  const editor = useProfileEditor();
  const guard = useLeaveGuard(editor.isDirty, isLeaving, editor.discard);
  const [isChangingPassword, setIsChangingPassword] = usePasswordDialog();
  useUnsavedInput(editor.isDirty);
  // Typed text is kept for this tab; a chosen picture can't be.
  const askBeforeLoss = (goOn: () => void) => (editor.hasNewPicture ? guard.ask(goOn) : goOn());

  const { formRef, isEditing, failure } = editor;
  /** Where editing begins. */
  const firstField = useRef<"username" | "email">("username");
  useEffect(() => {
    if (!isEditing) return;
    formRef.current?.querySelector<HTMLInputElement>(`input[name="${firstField.current}"]`)?.focus();
    firstField.current = "username";
  }, [isEditing, formRef]);
  // Each refusal shows the form, whichever tab was open.
  useEffect(() => {
    if (!failure) return;
    const find = (selector: string) => formRef.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find('[role="alert"]'))?.focus();
  }, [failure, formRef]);

  return (
    <section className="profile">
      <div className="profile-banner" role="status">
        {banner && (
          <p>
            <span aria-hidden="true">✓ </span>
            {banner}
          </p>
        )}
      </div>
      <ProfileHead
        editor={editor}
        onEdit={() => {
          selectTab("about");
          editor.start();
        }}
      />
      <SaveBar state={editor.state} onCancel={() => guard.ask(editor.discard)} />
      <MailAddressCard
        onChangeAddress={() => {
          selectTab("about");
          firstField.current = "email";
          if (isEditing) formRef.current?.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
          else editor.start();
        }}
      />
      {profile.pending_email && <NewAddressCard key={profile.pending_email} email={profile.pending_email} />}
      <div className="profile-body">
        <Tabs
          tab={tab}
          onSelect={selectTab}
          panels={{
            about: <ProfileForm editor={editor} onSubmit={() => selectTab("about")} />,
            activity: tab === "activity" && <ActivityTab />,
            security: tab === "security" && (
              <Suspense fallback={<RowsSkeleton label={t("profile:security.loading")} />}>
                <SecurityTab />
              </Suspense>
            ),
            settings: tab === "settings" && <SettingsTab askBeforeLoss={askBeforeLoss} />,
          }}
        />
        <div className="profile-side">
          <AboutCard isFormShown={tab === "about"} />
          <StatsCard />
          <ActionsCard onChangePassword={() => setIsChangingPassword(true)} />
        </div>
      </div>
      {isChangingPassword && <ChangePasswordDialog onClose={() => setIsChangingPassword(false)} />}
      {guard.isAsking && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </section>
  );
}
