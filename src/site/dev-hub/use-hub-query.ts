import { type RefObject, useEffect, useRef, useState } from "react";

const NAME = "q";

function writeAddress(query: string): void {
  const address = new URL(window.location.href);
  if (query) address.searchParams.set(NAME, query);
  else address.searchParams.delete(NAME);
  // The router's own state stays: to it this is the same entry of the history.
  window.history.replaceState(window.history.state, "", address);
}

/**
 * What is searched for, kept in `?q=`, so that a reload and the way back find it again. The server draws every card,
 * whatever the address says; the field is the browser's own, so that what was typed before hydration counts.
 */
export function useHubQuery(): {
  query: string;
  field: RefObject<HTMLInputElement | null>;
  search(query: string): void;
} {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");

  useEffect(() => {
    if (!field.current) return;
    field.current.value ||= new URLSearchParams(window.location.search).get(NAME) ?? "";
    setQuery(field.current.value);
  }, []);

  return {
    query: query.trim(),
    field,
    search(text) {
      setQuery(text);
      writeAddress(text.trim());
      if (field.current && field.current.value !== text) field.current.value = text;
    },
  };
}
