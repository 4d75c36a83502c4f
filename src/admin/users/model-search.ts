/** Documented fields of a user and those of the content model, where the names differ. */
const MODEL_NAMES: Readonly<Record<string, string>> = {
  date_joined: "created_at",
  last_login: "last_login_at",
};

const toModelName = (name: string) => MODEL_NAMES[name] ?? name;

function toModelValue(key: string, value: string): string {
  switch (key) {
    case "filter": {
      const [field = "", ...rest] = value.split(":");
      return [toModelName(field), ...rest].join(":");
    }
    case "sort":
      return value.startsWith("-") ? `-${toModelName(value.slice(1))}` : toModelName(value);
    case "columns":
      return value.split(",").map(toModelName).join(",");
    default:
      return value;
  }
}

/** The query of the users' list in the names of its content model. */
export function toModelSearch(search: string): string {
  const params = [...new URLSearchParams(search)].map(([key, value]) => [key, toModelValue(key, value)]);
  return new URLSearchParams(params).toString();
}
