export const accessLevelsResource = {
  name: "access-levels",
  list: "/admin/access-levels",
  meta: { labelKey: "nav.accessLevels", icon: "access-levels" },
} as const;
