import type { ContactDraft } from "#contract/site/contact.ts";
import { usePage } from "../../ui/page-context.tsx";
import { getBrowserSender } from "./browser-sender.ts";
import { ConfirmStep } from "./confirm-step.tsx";
import { ContactForm } from "./contact-form.tsx";
import { canWork } from "./proof-of-work.ts";
import { SentStep } from "./sent-step.tsx";
import { SidePanel } from "./side-panel.tsx";
import type { ContactServices } from "./use-contact-form.ts";

const BROWSER: ContactServices = { getSender: getBrowserSender, canWork };

interface ContactPageProps {
  /** What a post without JavaScript left. */
  draft: ContactDraft | null;
  services?: ContactServices;
}

function Step({ draft, services = BROWSER }: ContactPageProps) {
  if (draft?.isSent) return <SentStep />;
  if (draft?.challenge) return <ConfirmStep draft={draft} challenge={draft.challenge} />;
  return <ContactForm draft={draft} services={services} />;
}

/** The contact page (specification A 2.5): the form, and beside it other ways to the person. */
export function ContactPage(props: ContactPageProps) {
  const { t } = usePage();
  return (
    <div className="contact">
      <header className="contact-hero">
        <h1>{t("contact:title")}</h1>
        <p>{t("contact:subtitle")}</p>
      </header>
      <Step {...props} />
      <SidePanel />
    </div>
  );
}
