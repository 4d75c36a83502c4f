import { accessLevelsResource } from "#resources/access-levels.ts";
import { actionsResource } from "#resources/actions.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { usersResource } from "#resources/users.ts";

/** Models that have screens of their own (specification B section 2: the user model leads to users). */
const OWN_SCREENS: Readonly<Record<string, string>> = {
  "accounts.user": usersResource.list,
  "accounts.access_level": accessLevelsResource.list,
  "audit.entry": actionsResource.list,
};

const findOwnScreen = ({ app_label, model_name }: RecordSource) => OWN_SCREENS[`${app_label}.${model_name}`];

/** Where the records of a model are listed. */
export function toModelPath(model: RecordSource): string {
  return findOwnScreen(model) ?? model.paths.list;
}

/** Where one record of a model is shown. */
export function toRecordPath(model: RecordSource, id: number): string {
  const own = findOwnScreen(model);
  return own === undefined ? model.paths.edit(id) : `${own}/${id}`;
}
