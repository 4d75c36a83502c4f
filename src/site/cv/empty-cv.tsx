import { usePage } from "../../ui/page-context.tsx";

/** What a fresh installation shows: that it works, and the two ways to fill it. */
export function EmptyCv() {
  const { t } = usePage();
  return (
    <section className="empty-cv">
      <h1>{t("site:cv.empty.title")}</h1>
      <p className="prose">{t("site:cv.empty.text")}</p>
      <ol className="empty-cv-ways">
        <li>
          <h2>{t("site:cv.empty.import")}</h2>
          <p>{t("site:cv.empty.importHint")}</p>
          <pre>
            <code>npm run foyer -- import resume.json</code>
          </pre>
        </li>
        <li>
          <h2>{t("site:cv.empty.console")}</h2>
          <p>{t("site:cv.empty.consoleHint")}</p>
          <p>
            <a className="button" href="/admin">
              {t("site:cv.empty.openConsole")}
            </a>
          </p>
        </li>
      </ol>
    </section>
  );
}
