import { accessLevelsResource } from "./access-levels.ts";
import { actionsResource } from "./actions.ts";
import { emailBouncesResource } from "./email-bounces.ts";
import { emailComplaintsResource } from "./email-complaints.ts";
import { PLAIN_SCREENS, type ScreenMeta } from "./screens.ts";
import { usersResource } from "./users.ts";

const ALL = [
  ...PLAIN_SCREENS,
  usersResource,
  accessLevelsResource,
  actionsResource,
  emailBouncesResource,
  emailComplaintsResource,
] as const satisfies readonly { name: string; list: string; meta: ScreenMeta }[];

/** Every resource of the console, in the order of the sidebar. The objects of a model are one each: `objectsResource`. */
export const RESOURCES = ALL.toSorted((a, b) => a.meta.order - b.meta.order);
