export const actionsResource = {
  name: "actions",
  list: "/admin/actions",
  meta: { labelKey: "nav.actions", icon: "actions" },
} as const;
