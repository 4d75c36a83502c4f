/** Whether the page asks for a code, as it opens, or the person who wants another one. */
type Request = "first" | "another";

/** While digits can be typed: what is wrong with them, in words. */
interface Open {
  fault?: string | undefined;
}

/** `isWaiting`: staff decide about the account first. `reset`: with what a new password is to be set now. */
interface Verified {
  isSignedIn: boolean;
  isWaiting: boolean;
  username: string;
  reset: { email: string; proof: string } | null;
}

/** A code's life: asked for, entered, looked at, and on to the profile or back to the boxes (specification A 2.9, 4, 8). */
export type VerificationState =
  | ({ phase: "opening" } & Open)
  | ({ phase: "requesting"; request: Request } & Open)
  | ({ phase: "requested"; request: Request } & Open)
  | ({ phase: "editing" } & Open)
  /** `what` was refused: the request for a code, the code itself, or the call with it, so that nobody has looked at it. */
  | ({ phase: "refused"; what: "request" | "code" | "call"; reason: string } & Open)
  | { phase: "verifying"; code: string }
  | ({ phase: "verified" } & Verified);

/** What can happen to it. Texts come in the reader's language. */
export type VerificationEvent =
  | { type: "asked" }
  | { type: "requested" }
  | { type: "request_refused"; reason: string }
  | { type: "request_shown" }
  | { type: "typed" }
  /** Something that is no digit was left out. */
  | { type: "rejected"; fault: string }
  /** `fault` is what the browser's own rules have against the code. */
  | { type: "submitted"; code: string; fault: string | undefined }
  | { type: "refused"; what: "code" | "call"; reason: string }
  | ({ type: "verified" } & Verified);

export const OPENING: VerificationState = { phase: "opening" };
/** Of the link of a mail: nothing has to be asked for. */
export const EDITING: VerificationState = { phase: "editing" };

type OpenState = Exclude<VerificationState, { phase: "verifying" | "verified" }>;

/** While digits can be typed. */
function reduceOpen(state: OpenState, event: VerificationEvent): VerificationState {
  const { phase, fault } = state;
  switch (event.type) {
    case "asked":
      if (phase === "requesting") return state;
      return { phase: "requesting", request: phase === "opening" ? "first" : "another", fault };
    case "requested":
      return phase === "requesting" ? { ...state, phase: "requested" } : state;
    case "request_refused":
      if (phase !== "requesting") return state;
      return { phase: "refused", what: "request", reason: event.reason, fault };
    case "request_shown":
      return phase === "requested" ? { phase: "editing", fault } : state;
    case "typed":
      return fault === undefined ? state : { ...state, fault: undefined };
    case "rejected":
      return { ...state, fault: event.fault };
    case "submitted":
      return event.fault ? { ...state, fault: event.fault } : { phase: "verifying", code: event.code };
    case "refused":
    case "verified":
      return state;
  }
}

/** The next state of a code. What makes no sense in the state that it finds changes nothing. */
export function reduceVerification(state: VerificationState, event: VerificationEvent): VerificationState {
  switch (state.phase) {
    case "verifying":
      if (event.type === "refused") return { phase: "refused", what: event.what, reason: event.reason };
      if (event.type !== "verified") return state;
      return {
        phase: "verified",
        isSignedIn: event.isSignedIn,
        isWaiting: event.isWaiting,
        username: event.username,
        reset: event.reset,
      };
    case "verified":
      return state;
    default:
      return reduceOpen(state, event);
  }
}
