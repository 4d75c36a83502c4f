import { useTranslation } from "react-i18next";
import type { BulkPreview } from "#contract/bulk.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ChangesTable } from "../views/history/changes-table.tsx";
import type { WriteOperation } from "./bulk-task.ts";

interface SamplesProps {
  model: RecordSource;
  operation: WriteOperation;
  samples: BulkPreview["samples"];
}

/** The first rows as they are and as they would be; of a deletion their names. */
export function Samples({ model, operation, samples }: SamplesProps) {
  const { t } = useTranslation();
  if (samples.length === 0) return null;
  if (operation === "delete") {
    return (
      <section>
        <h3>{t("bulk.preview.goesFirst")}</h3>
        <ul className="preview-names">
          {samples.map(({ id, repr }) => (
            <li key={id}>{repr}</li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section>
      <h3>{t("bulk.preview.samples", { count: samples.length })}</h3>
      {samples.map(({ id, repr, changes }) => (
        <section key={id} className="preview-sample">
          <h4>{repr}</h4>
          <ChangesTable changes={changes} fields={model.fields} />
        </section>
      ))}
    </section>
  );
}
