export const healthResource = {
  name: "health",
  list: "/admin/health",
  meta: { labelKey: "nav.health", icon: "health" },
} as const;
