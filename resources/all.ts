import { accessLevelsResource } from "./access-levels.ts";
import { actionsResource } from "./actions.ts";
import { emailBouncesResource } from "./email-bounces.ts";
import { emailComplaintsResource } from "./email-complaints.ts";
import {
  dashboardResource,
  emailMonitoringResource,
  healthResource,
  mailboxResource,
  modelsResource,
  settingsResource,
} from "./screens.ts";
import { usersResource } from "./users.ts";

/** Every resource of the console, in the order of the sidebar. The objects of a model are one each: `objectsResource`. */
export const RESOURCES = [
  dashboardResource,
  usersResource,
  accessLevelsResource,
  modelsResource,
  actionsResource,
  emailMonitoringResource,
  emailBouncesResource,
  emailComplaintsResource,
  healthResource,
  settingsResource,
  mailboxResource,
] as const;
