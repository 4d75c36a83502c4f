import type { ModelInfo } from "#contract/content/models.ts";
import { toLiveTopic } from "#contract/live.ts";

/**
 * Refine name of one model's objects. Each model is a resource of its own, so that caches, invalidation and live topics
 * never mix two models.
 */
export function objectsResource(contentTypeId: number): string {
  return `models/${contentTypeId}/objects`;
}

/** Addresses of the generic screens of one model, without a query. */
export const objectPaths = {
  list: (contentTypeId: number) => `/admin/models/${contentTypeId}`,
  create: (contentTypeId: number) => `/admin/models/${contentTypeId}/objects/new`,
  edit: (contentTypeId: number, objectId: number) => `/admin/models/${contentTypeId}/objects/${objectId}`,
  bulk: (contentTypeId: number) => `/admin/models/${contentTypeId}/bulk`,
} as const;

/** Topic on which writes to a model's objects are told of. */
export function objectsTopic({ app_label, model_name }: Pick<ModelInfo, "app_label" | "model_name">): string {
  return toLiveTopic(`${app_label}.${model_name}`);
}
