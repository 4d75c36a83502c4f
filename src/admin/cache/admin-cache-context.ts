import { createContext, useContext } from "react";
import type { AdminCache } from "./admin-cache.ts";

/** Undefined outside of the console's frame. */
export const AdminCacheContext = createContext<AdminCache | undefined>(undefined);

export function useAdminCache(): AdminCache {
  const cache = useContext(AdminCacheContext);
  if (!cache) throw new Error("AdminCacheContext is missing");
  return cache;
}
