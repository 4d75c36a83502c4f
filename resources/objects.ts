/**
 * Refine name of one model's objects. Each model is a resource of its own, so that caches, invalidation and later live
 * channels never mix two models.
 */
export function objectsResource(contentTypeId: number): string {
  return `models/${contentTypeId}/objects`;
}

/** Addresses of the generic screens of one model, without a query. */
export const objectPaths = {
  list: (contentTypeId: number) => `/admin/models/${contentTypeId}`,
  create: (contentTypeId: number) => `/admin/models/${contentTypeId}/objects/new`,
  edit: (contentTypeId: number, objectId: number) => `/admin/models/${contentTypeId}/objects/${objectId}`,
} as const;
