import { lazyPart } from "../parts/lazy-part.tsx";

/** Parts that come with the first click on them. */
export const SettingsPanel = lazyPart(async () => (await import("./settings-panel.tsx")).SettingsPanel);
export const BansDialog = lazyPart(async () => (await import("./people-dialogs.tsx")).BansDialog);
export const ModerationDialog = lazyPart(
  async () => (await import("./moderation-dialog.tsx")).ModerationDialog,
);
