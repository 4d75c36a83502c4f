import { useTranslation } from "react-i18next";

/** Stands where the console will be, until the first screen's own file is here. */
export function StartingScreen() {
  const { t } = useTranslation();
  return (
    <main className="start">
      <p role="status">{t("states.loading")}</p>
    </main>
  );
}
