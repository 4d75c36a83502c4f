import { lazyPart } from "../parts/lazy-part.tsx";
export const BansDialog = lazyPart(async () => (await import("./people-dialogs.tsx")).BansDialog);
export const ModerationDialog = lazyPart(
  async () => (await import("./moderation-dialog.tsx")).ModerationDialog,
);
