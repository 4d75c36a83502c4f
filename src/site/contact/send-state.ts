import type { PublicText } from "../../ui/public-text.ts";
import type { Toast } from "../../ui/toast.tsx";

/** Where a message is on its way (specification A section 4). */
export type SendState =
  | { status: "IDLE" }
  | { status: "LOADING" }
  | { status: "SUCCESS" }
  | { status: "ERROR"; message: string };

/** What is told of it, and for how long the toast stands. */
export function toToast(state: SendState, t: PublicText): Toast | null {
  switch (state.status) {
    case "IDLE":
    case "LOADING":
      return null;
    case "SUCCESS":
      return { kind: "success", text: t("contact:toast.success") };
    case "ERROR":
      return { kind: "error", text: state.message };
  }
}
