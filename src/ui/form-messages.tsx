import type { ReactNode } from "react";

/** What went wrong and belongs to no field. Always there: screen readers announce what changes in a region that they know. */
export function FormAlert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert" tabIndex={-1}>
      {children}
    </div>
  );
}

/** What went well, announced politely. */
export function FormStatus({ children }: { children: ReactNode }) {
  return (
    <div className="form-status" role="status">
      {children}
    </div>
  );
}

/** For screens that are nothing without scripts: without them, and when they could not be loaded. */
export function ScriptNotes({ needsScript, incomplete }: { needsScript: string; incomplete: string }) {
  return (
    <>
      <noscript>
        <p className="alert">{needsScript}</p>
      </noscript>
      <p className="alert when-app-failed">{incomplete}</p>
    </>
  );
}
