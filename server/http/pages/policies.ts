import { createHash } from "node:crypto";
import { type MoveGroup, SCREENS, type ScreenName } from "#contract/site/pages.ts";

/** Where browsers report what a policy forbade; `report-uri` is what Firefox knows. */
export const CSP_REPORTS_URL = "/api/csp-reports/";
const REPORTED = [`report-uri ${CSP_REPORTS_URL}`, "report-to csp"];
/** Header `Reporting-Endpoints`, which `report-to` goes by. */
export const REPORTING_ENDPOINTS = `csp="${CSP_REPORTS_URL}"`;

/** Scripts that stand in a template itself; `type` marks data blocks and modules. */
function findInlineScripts(template: string): string[] {
  return [...template.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
}

/** As the browser names an element by its text. */
const toHash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Nothing from elsewhere, and of inline scripts and styles only the template's own and the given ones, by their hash: the
 * public pages' HTML stays the same bytes for everybody.
 */
export function toPublicCsp(template: string, styles: readonly string[]): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...findInlineScripts(template).map(toHash)].join(" "),
    ["style-src 'self'", ...styles.map(toHash)].join(" "),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // No text becomes an element or a script but through the browser's one policy: src/ui/trusted-types.ts.
    "require-trusted-types-for 'script'",
    "trusted-types foyer",
    ...REPORTED,
  ].join("; ");
}

/**
 * The console: antd writes style elements, which carry the nonce of this document. It fills them by `innerHTML`, which Trusted Types would
 * let pass only through a default policy for everything: there they would mean nothing.
 */
export function toAdminCsp(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...REPORTED,
  ].join("; ");
}

/** A style element that swagger-ui 5 writes into its page. */
const SWAGGER_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** The page of the API's description: scripts and styles are files of ours, its icons stand in them. */
export const DOCS_CSP = [
  "default-src 'self'",
  "script-src 'self'",
  `style-src 'self' ${SWAGGER_STYLE}`,
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  ...REPORTED,
].join("; ");

/** What an answer says that has no policy of its own, such as JSON: opened by itself it loads and runs nothing, and nobody frames it. */
export const DATA_CSP = [
  "default-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Files of the build: a worker goes by its own file's policy, and a picture may have styles of its own. */
export const ASSET_CSP = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

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

/** Typed text of a record that is gone, and links, are copied there; a passkey may show that it is still the same person. */
export const ADMIN_PERMISSIONS = toPolicy(["clipboard-write", "publickey-credentials-get"]);

/** Where people log in and look after their account: passkeys, and recovery codes that are copied. */
const ACCOUNT_PERMISSIONS = toPolicy([
  "clipboard-write",
  "publickey-credentials-create",
  "publickey-credentials-get",
]);

const OF_GROUP: Record<MoveGroup, string> = {
  // A certificate's link is copied.
  site: toPolicy(["clipboard-write"]),
  voice: toPolicy([
    "autoplay",
    "camera",
    "clipboard-write",
    "microphone",
    "publickey-credentials-get",
    "screen-wake-lock",
    "speaker-selection",
  ]),
};

/** What the document of a screen may use; it keeps that while the browser moves within the screen's group. */
export function toPublicPermissions(screen: ScreenName): string {
  // From there the browser moves on as from a page of the owner's, which might be at the same address.
  const row = SCREENS[screen === "not-found" ? "text" : screen];
  if ("moves" in row) return OF_GROUP[row.moves];
  // Screens without an address of their own answer a link of a mail.
  return row.paths.length > 0 ? ACCOUNT_PERMISSIONS : NO_PERMISSIONS;
}
