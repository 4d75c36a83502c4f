import { useEffect, useRef, useState } from "react";
import { useUnsavedInput } from "../unsaved-input.ts";
import { ActivityTab } from "./activity/activity-tab.tsx";
import { ActionsCard } from "./cards/actions-card.tsx";
import { StatsCard } from "./cards/stats-card.tsx";
import { AboutCard } from "./cards.tsx";
import { SaveBar } from "./editor/edit-buttons.tsx";
import { LeaveDialog } from "./editor/leave-dialog.tsx";
import { useLeaveGuard } from "./editor/leave-guard.tsx";
import { ProfileForm } from "./editor/profile-form.tsx";
import { useProfileEditor } from "./editor/use-profile-editor.ts";
import { MailAddressCard } from "./mail-address/mail-address-card.tsx";
import { NewAddressCard } from "./new-address/new-address-card.tsx";
import { ChangePasswordDialog } from "./password/change-password-dialog.tsx";
import { useProfile } from "./profile-context.tsx";
import { ProfileHead } from "./profile-head.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { Tabs, useTab } from "./tabs.tsx";

/** Head, tabs and cards of the profile. The form keeps its edits while another tab is open. */
export function ProfileScreen({ banner }: { banner: string }) {
  const { profile, isLeaving } = useProfile();
  const [tab, selectTab] = useTab();
  const editor = useProfileEditor();
  const guard = useLeaveGuard(editor.isDirty, isLeaving, editor.discard);
  const [isChangingPassword, setIsChangingPassword] = useState(false);
  useUnsavedInput(editor.isDirty);
  // Typed text is kept for this tab; a chosen picture can't be.
  const askBeforeLoss = (goOn: () => void) => (editor.pictures.isChanged ? guard.ask(goOn) : goOn());

  const { formRef, refusals } = editor;
  /** Where editing begins. */
  const firstField = useRef<"username" | "email">("username");
  const isEditing = editor.phase !== "view";
  useEffect(() => {
    if (!isEditing) return;
    formRef.current?.querySelector<HTMLInputElement>(`input[name="${firstField.current}"]`)?.focus();
    firstField.current = "username";
  }, [isEditing, formRef]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal shows the form, whichever tab was open
  useEffect(() => {
    if (refusals === 0) return;
    const find = (selector: string) => formRef.current?.querySelector<HTMLElement>(selector);
    (find('[aria-invalid="true"]') ?? find('[role="alert"]'))?.focus();
  }, [refusals]);

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
      <SaveBar phase={editor.phase} onCancel={() => guard.ask(editor.discard)} />
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
