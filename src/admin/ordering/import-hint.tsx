import "../views/list/rows/import-hint.css";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";

/** The app whose models a JSON Resume file fills. */
const CV_APP = "cv";

/** How a whole CV comes in at once: by a command on the server, since it may replace what is there. */
export function ImportHint({ model }: { model: RecordSource }) {
  const { t } = useTranslation();
  if (model.app_label !== CV_APP || !model.permissions.create) return null;
  return (
    <div className="import-hint">
      <p>{t("ordering.import")}</p>
      <pre>
        <code>{"npm run foyer -- import cv.json\nnpm run foyer -- import cv.tr.json --lang tr"}</code>
      </pre>
    </div>
  );
}
