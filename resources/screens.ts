export const dashboardResource = {
  name: "dashboard",
  list: "/admin",
  meta: { labelKey: "nav.dashboard", icon: "dashboard" },
} as const;
