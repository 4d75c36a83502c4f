import type { NotificationProvider } from "@refinedev/core";

interface Toast {
  key?: string;
  message: string;
  description?: string;
  role: "status" | "alert";
  duration: number;
}

/** The part of antd's notification instance that is used; the console passes the one of its `App`. */
export interface NotificationTarget {
  success(toast: Toast): void;
  error(toast: Toast): void;
  info(toast: Toast): void;
  destroy(key: string): void;
}

const SHORT_S = 3;
/** Specification B section 9: store error banner. */
const ERROR_S = 5;

/** Shows Refine's notices. The target is read at each call, because antd makes it while drawing. */
export function createNotificationProvider(
  getTarget: () => NotificationTarget | undefined,
): NotificationProvider {
  return {
    open({ key, message, description, type }) {
      const texts = {
        message,
        ...(key !== undefined && { key }),
        ...(description !== undefined && { description }),
      };
      const target = getTarget();
      if (type === "error") target?.error({ ...texts, role: "alert", duration: ERROR_S });
      else if (type === "success") target?.success({ ...texts, role: "status", duration: SHORT_S });
      else target?.info({ ...texts, role: "status", duration: SHORT_S });
    },
    close: (key) => getTarget()?.destroy(key),
  };
}
