import { lazyPart } from "../parts/lazy-part.tsx";

/** Parts that come with the first click on them. */
export const SettingsPanel = lazyPart(async () => (await import("./settings-panel.tsx")).SettingsPanel);
export const BansDialog = lazyPart(async () => (await import("./bans-dialog.tsx")).BansDialog);
export const ReportDialog = lazyPart(async () => (await import("./report-dialog.tsx")).ReportDialog);
