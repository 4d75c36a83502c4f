import type { PageRequest } from "#contract/page.ts";
import type { PublicText } from "../ui/public-text.ts";

const DESCRIPTION_MAX_CHARS = 160;

/** What a page calls itself in a tab, a search result and a link preview. */
export interface PageDescription {
  title: string;
  /** One line that fits a search result; empty where there is nothing to say. */
  description: string;
}

type PageSource = Pick<PageRequest, "data" | "site">;

/** One line, cut at a word. */
function toLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= DESCRIPTION_MAX_CHARS) return line;
  const cut = line.slice(0, DESCRIPTION_MAX_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), DESCRIPTION_MAX_CHARS / 2))}…`;
}

/** Micromark writes no other entities. */
const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** The text of a page's first paragraph. */
function toFirstParagraph(html: string): string {
  const paragraph = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  return paragraph.replace(/<[^>]*>/g, "").replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}

function describeScreen({ data, site }: PageSource, t: PublicText): { screen: string; description: string } {
  switch (data.screen) {
    case "cv": {
      const { tagline, description } = data.cv;
      return { screen: t("site:cv.title"), description: [tagline, description].filter(Boolean).join(" – ") };
    }
    case "contact":
      return { screen: t("site:layout.contact"), description: t("site:head.contact") };
    case "dev":
      return {
        screen: t("site:dev.title"),
        description: t(site.open_features.length > 0 ? "site:head.dev" : "site:dev.leadLater"),
      };
    case "text":
      return { screen: data.page.title, description: toFirstParagraph(data.page.html) };
    case "login":
      return { screen: t("site:head.login"), description: t("site:head.loginText") };
    case "register":
      return { screen: t("site:head.register"), description: t("site:head.registerText") };
    case "verify-email":
      return { screen: t("site:head.verifyEmail"), description: "" };
    case "forgot-password":
      return { screen: t("site:head.forgotPassword"), description: "" };
    case "setup":
      return { screen: t("site:head.setup"), description: "" };
    case "unsubscribe":
      return { screen: t("site:head.unsubscribe"), description: "" };
    case "profile":
      return { screen: t("site:layout.profile"), description: "" };
    case "later":
      return { screen: t("site:later.title"), description: t("site:later.text") };
    case "not-found":
      return { screen: t("site:notFound.title"), description: t("site:notFound.text") };
  }
}

/** "<screen> – <author>"; the CV is the author's own page and says who that is. */
export function describePage({ data, site }: PageSource, t: PublicText): PageDescription {
  const { screen, description } = describeScreen({ data, site }, t);
  const words = data.screen === "cv" && data.cv.name ? [data.cv.name, data.cv.title] : [screen, site.author];
  return { title: words.filter(Boolean).join(" – "), description: toLine(description) };
}
