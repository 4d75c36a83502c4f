import { type MoveGroup, SCREENS, type ScreenName } from "#contract/screens.ts";

/**
 * What a page may be allowed. Only names that Chromium knows without a flag, on every system: it complains of others in the
 * console of each page. So `web-share` and `bluetooth`, which Chromium on Linux doesn't know, are missing.
 */
const FEATURES = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "captured-surface-control",
  "clipboard-read",
  "clipboard-write",
  "compute-pressure",
  "digital-credentials-get",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "keyboard-map",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "otp-credentials",
  "payment",
  "picture-in-picture",
  "publickey-credentials-create",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "speaker-selection",
  "storage-access",
  "usb",
  "window-management",
  "xr-spatial-tracking",
] as const;
type Feature = (typeof FEATURES)[number];

const toPolicy = (allowed: readonly Feature[] = []) =>
  FEATURES.map((feature) => `${feature}=${allowed.includes(feature) ? "(self)" : "()"}`).join(", ");

/** Of a document that needs nothing. */
export const NO_PERMISSIONS = toPolicy();

/** Typed text of a record that is gone, and links, are copied there. */
export const ADMIN_PERMISSIONS = toPolicy(["clipboard-write"]);

const OF_GROUP: Record<MoveGroup, string> = {
  // A certificate's link is copied.
  site: toPolicy(["clipboard-write"]),
  voice: toPolicy([
    "autoplay",
    "camera",
    "clipboard-write",
    "microphone",
    "screen-wake-lock",
    "speaker-selection",
  ]),
};

/** What the document of a screen may use; it keeps that while the browser moves within the screen's group. */
export function toPublicPermissions(screen: ScreenName): string {
  const row = SCREENS[screen];
  return "moves" in row ? OF_GROUP[row.moves] : NO_PERMISSIONS;
}
