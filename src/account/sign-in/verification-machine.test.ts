import { testTransitions } from "#test/transitions.ts";
import {
  OPENING,
  reduceVerification,
  type VerificationEvent,
  type VerificationState,
} from "./verification-machine.ts";

type Named<Value> = Record<string, Value>;

const fault = "Six digits";
const STATES = {
  opening: OPENING,
  requesting: { phase: "requesting", request: "first" },
  requestingAnother: { phase: "requesting", request: "another", fault },
  requested: { phase: "requested", request: "first" },
  requestedAnother: { phase: "requested", request: "another", fault },
  editing: { phase: "editing" },
  refusedRequest: { phase: "refused", what: "request", reason: "Too many", fault },
  refusedCode: { phase: "refused", what: "code", reason: "Wrong" },
  verifying: { phase: "verifying", code: "123456" },
  verified: { phase: "verified", isSignedIn: true, isWaiting: false, username: "ada", reset: null },
} satisfies Named<VerificationState>;

const EVENTS = {
  asked: { type: "asked" },
  requested: { type: "requested" },
  requestRefused: { type: "request_refused", reason: "Too many" },
  requestShown: { type: "request_shown" },
  typed: { type: "typed" },
  rejected: { type: "rejected", fault: "Only digits" },
  submitted: { type: "submitted", code: "654321", fault: undefined },
  submittedTooShort: { type: "submitted", code: "1", fault: "Too short" },
  refused: { type: "refused", what: "call", reason: "Offline" },
  verified: { type: "verified", isSignedIn: false, isWaiting: true, username: "isil", reset: null },
} satisfies Named<VerificationEvent>;

/** In every state in which digits can be typed. */
function whileOpen(change: (state: VerificationState) => VerificationState) {
  const { verifying: _verifying, verified: _verified, ...open } = STATES;
  return Object.fromEntries(Object.entries(open).map(([name, state]) => [name, change(state)]));
}

testTransitions<VerificationState, VerificationEvent, keyof typeof STATES, keyof typeof EVENTS>(
  reduceVerification,
  STATES,
  EVENTS,
  {
    asked: {
      opening: { phase: "requesting", request: "first" },
      requested: { phase: "requesting", request: "another" },
      requestedAnother: { phase: "requesting", request: "another", fault },
      editing: { phase: "requesting", request: "another" },
      refusedRequest: { phase: "requesting", request: "another", fault },
      refusedCode: { phase: "requesting", request: "another" },
    },
    requested: {
      requesting: { phase: "requested", request: "first" },
      requestingAnother: { phase: "requested", request: "another", fault },
    },
    requestRefused: {
      requesting: { phase: "refused", what: "request", reason: "Too many" },
      requestingAnother: { phase: "refused", what: "request", reason: "Too many", fault },
    },
    requestShown: {
      requested: { phase: "editing" },
      requestedAnother: { phase: "editing", fault },
    },
    typed: {
      requestingAnother: { phase: "requesting", request: "another" },
      requestedAnother: { phase: "requested", request: "another" },
      refusedRequest: { phase: "refused", what: "request", reason: "Too many" },
    },
    rejected: whileOpen((state) => ({ ...state, fault: "Only digits" })),
    submitted: whileOpen(() => ({ phase: "verifying", code: "654321" })),
    submittedTooShort: whileOpen((state) => ({ ...state, fault: "Too short" })),
    refused: { verifying: { phase: "refused", what: "call", reason: "Offline" } },
    verified: {
      verifying: { phase: "verified", isSignedIn: false, isWaiting: true, username: "isil", reset: null },
    },
  },
);
