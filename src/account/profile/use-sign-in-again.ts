import { useCallback, useRef, useState } from "react";
import { HttpError } from "#providers/http/http.ts";

interface Waiting {
  goOn: () => void;
  giveUp: () => void;
}

/**
 * Calls that survive the end of the session: a 401, which comes through only when the session could not be renewed, waits
 * until the person has signed in again. Who doesn't gets the failure of the call.
 */
export function useSignInAgain() {
  const waiting = useRef<Waiting[]>([]);
  const [isAsking, setIsAsking] = useState(false);

  const withSession = useCallback(async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 401)) throw error;
      await new Promise<void>((resolve, reject) => {
        waiting.current.push({ goOn: resolve, giveUp: () => reject(error) });
        setIsAsking(true);
      });
      return call();
    }
  }, []);

  const end = (answer: keyof Waiting) => {
    setIsAsking(false);
    for (const one of waiting.current.splice(0)) one[answer]();
  };
  return { withSession, isAsking, goOn: () => end("goOn"), giveUp: () => end("giveUp") };
}
