import { QueryClient } from "@tanstack/react-query";
import { isFinal } from "#providers/refine/data-error.ts";
import { getLifetimeMs, MODELS_LIFETIME_MS } from "./freshness.ts";

const RETRIES = 2;

/** Without a network a call fails and says so; the library's default lets it wait without a word. */
const NETWORK_MODE = "always";

/**
 * Our own client, and not Refine's: its default keeps the last data for every query, so that record 2 would start by showing
 * record 1. Lists that want that ask for it themselves.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: NETWORK_MODE,
        refetchOnWindowFocus: false,
        staleTime: ({ queryKey }) => getLifetimeMs(queryKey),
        // The library's own collection must not be faster than the longest lifetime; the admin data cache cleans up before.
        gcTime: MODELS_LIFETIME_MS,
        retry: (count, error) => count < RETRIES && !isFinal(error),
      },
      mutations: { networkMode: NETWORK_MODE },
    },
  });
}
