/** The content models that the signed-in person may see. */
export const modelsResource = {
  name: "models",
  list: "/admin/models",
  meta: { labelKey: "nav.models", icon: "models" },
} as const;
