import { listConsoleScreens } from "../console-screens.ts";
import type { TriedScreen } from "./try-screen.ts";

const PUBLIC: readonly TriedScreen[] = [
  { name: "cv", path: "/en/cv" },
  { name: "contact", path: "/contact", isFilled: true },
  { name: "dev", path: "/dev" },
  { name: "terms", path: "/terms" },
  { name: "nowhere", path: "/nowhere" },
  { name: "login", path: "/login", isFilled: true },
  { name: "register", path: "/register", isFilled: true },
  { name: "forgot-password", path: "/forgot-password", isFilled: true },
  { name: "verify", path: "/verify-email?email=visitor%40example.org" },
];

const SIGNED_IN: readonly TriedScreen[] = [
  { name: "profile", path: "/profile" },
  { name: "profile-activity", path: "/profile?tab=activity" },
  { name: "profile-settings", path: "/profile?tab=settings" },
];

/** All screens of a prepared site; console screens with fields are tried filled as well. */
export async function listTriedScreens(url: string) {
  const screens = await listConsoleScreens(url);
  const editors = screens.filter(({ name }) =>
    /^(user-new|record|record-new|singleton|bulk-update)$/.test(name),
  );
  return {
    strangers: PUBLIC,
    owners: [
      ...SIGNED_IN,
      ...screens,
      ...editors.map((screen) => ({ ...screen, name: `${screen.name}-filled`, isFilled: true })),
    ],
  };
}
