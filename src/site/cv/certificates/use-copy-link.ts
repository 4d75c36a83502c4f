import { useState } from "react";
import { useHref } from "react-router";
import { type Certificate, toCardId } from "./certificate.tsx";

/** `refused`: the browser has no clipboard for this page (plain http), or its owner said no. */
export type CopyState = "idle" | "copied" | "refused";

async function copyText(text: string): Promise<"copied" | "refused"> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "refused";
  }
}

/** Copies the address at which a certificate is open. What came of it counts for that certificate alone. */
export function useCopyLink({ id }: Certificate) {
  const path = useHref({ search: "", hash: toCardId(id) });
  const [last, setLast] = useState<{ address: string; state: CopyState }>();
  // The server knows no origin of the browser's, and draws no dialog.
  const address = new URL(path, window.location.href).href;
  return {
    address,
    state: last?.address === address ? last.state : ("idle" satisfies CopyState),
    async copy() {
      // Told anew each time, also to who only hears it.
      setLast(undefined);
      setLast({ address, state: await copyText(address) });
    },
  };
}
