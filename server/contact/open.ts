import type { Floor } from "#server/floor.ts";
import type { AnswerOnce } from "#server/http/pages/pages.ts";
import type { App } from "#server/http/zod.ts";
import type { MailService } from "#server/mail/service.ts";
import type { SiteService } from "#server/site/service.ts";
import { registerContactForm } from "./form-routes.ts";
import { createFindOwner } from "./owner.ts";
import { registerContactRoutes } from "./routes.ts";
import { createContactService } from "./service.ts";

interface ContactDeps {
  mail: Pick<MailService, "queue">;
  site: Pick<SiteService, "getSite">;
  answerOnce: AnswerOnce;
}

/** Messages to the owner, from the page's app and from a form without JavaScript. */
export async function openContact(app: App, floor: Floor, deps: ContactDeps): Promise<void> {
  const { config, deriveSecrets } = floor;
  const contact = createContactService({
    ...floor,
    mail: deps.mail,
    findOwner: createFindOwner({ ...floor, site: deps.site, ownerEmail: config.ownerEmail }),
    secret: deriveSecrets("contact challenges")[0],
  });
  registerContactRoutes(app, contact);
  await registerContactForm(app, { contact, answerOnce: deps.answerOnce });
}
