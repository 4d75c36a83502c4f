import type { ContactDraft } from "#contract/contact.ts";
import { usePage } from "../../ui/page-context.tsx";

/** The contact page (specification A 2.5). `draft` is what a post without JavaScript left. */
export function ContactPage({ draft }: { draft: ContactDraft | null }) {
  const { t } = usePage();
  return <h1>{draft ? draft.values.name : t("site:layout.contact")}</h1>;
}
