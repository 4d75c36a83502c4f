import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { Cell } from "../cell.tsx";

/** Values that the server alone writes, as text. */
export function ReadOnlyFields({ model, record }: { model: RecordSource; record: ModelRecord }) {
  const fields = model.fields.filter((field) => field.read_only);
  if (fields.length === 0) return null;
  return (
    <dl className="read-only-fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.verbose_name}</dt>
          <dd>
            <Cell field={field} value={record[field.name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
