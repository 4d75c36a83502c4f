export const usersResource = {
  name: "users",
  list: "/admin/users",
  meta: { labelKey: "nav.users", icon: "users" },
} as const;
