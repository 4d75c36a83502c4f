export const settingsResource = {
  name: "settings",
  list: "/admin/settings",
  meta: { labelKey: "nav.settings", icon: "settings" },
} as const;
