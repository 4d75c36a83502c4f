import { createContext, useContext } from "react";
import type { LiveLists } from "./live-lists.ts";

/** Undefined outside of the console's frame. */
export const LiveListsContext = createContext<LiveLists | undefined>(undefined);

export function useLiveLists(): LiveLists {
  const lists = useContext(LiveListsContext);
  if (!lists) throw new Error("LiveListsContext is missing");
  return lists;
}
