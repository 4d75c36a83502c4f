import { usePage } from "../../ui/page-context.tsx";

/** Who is signed in (specification A 2.10, the part that only reads). */
export function ProfilePage() {
  const { t } = usePage();
  return <h1>{t("site:layout.profile")}</h1>;
}
