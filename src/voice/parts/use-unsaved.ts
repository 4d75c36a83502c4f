import { useEffect } from "react";
import { HttpError } from "#providers/http.ts";
import { useVoiceServices } from "../voice-context.tsx";

/**
 * What is typed outlives the end of the session: while `isUnsaved` the screen stays, and what saves it is sent once more when the
 * person has signed in again. @returns how to send it; it rejects as the call does.
 */
export function useUnsaved(isUnsaved: boolean): <T>(save: () => Promise<T>) => Promise<T> {
  const { hold, signInAgain } = useVoiceServices();
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved, hold]);
  return async (save) => {
    try {
      return await save();
    } catch (error) {
      if (error instanceof HttpError && error.status === 401 && (await signInAgain())) return save();
      throw error;
    }
  };
}
