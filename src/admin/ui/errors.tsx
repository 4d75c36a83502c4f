import { App, Button } from "antd";
import type { TFunction } from "i18next";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import * as z from "zod/mini";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { NO_VALID_TOKEN } from "#providers/http/http.ts";
import { UNKNOWN_QUERY } from "#providers/refine/list-query.ts";

const failure = z.object({ message: z.string(), code: z.optional(z.string()) });

/** What went wrong, in the reader's language: the server's words, or ours where only the browser said something. */
export function toErrorText(error: unknown, t: TFunction): string {
  // An answer that isn't the documented one; its message is the schema's JSON.
  if (error instanceof z.core.$ZodError) return t("errors.unknown");
  const { code, message = "" } = failure.safeParse(error).data ?? {};
  if (code === "network_error") return t("errors.start");
  if (code === NO_VALID_TOKEN) return t("errors.noToken");
  if (code === UNKNOWN_QUERY) return t("errors.unknownQuery");
  return message === "" || message === UNKNOWN_ERROR ? t("errors.unknown") : message;
}

interface ErrorStateProps {
  title: string;
  /** What could not be done, where the title doesn't say it. */
  text?: string;
  error: { message: string };
  onRetry: () => void;
  /** Where "Retry" would not say what happens. */
  retryText?: string;
  /** Another way out, beside trying again. */
  action?: ReactNode;
}

/** What failed, what the server said about it, and the way to try again. */
export function ErrorState({ title, text, error, onRetry, retryText, action }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className="state" role="alert">
      <p className="state-title">{title}</p>
      {text !== undefined && <p>{text}</p>}
      <p>{toErrorText(error, t)}</p>
      <div className="state-actions">
        <Button onClick={onRetry}>{retryText ?? t("actions.retry")}</Button>
        {action}
      </div>
    </div>
  );
}

/** A file of the console that could not be fetched: no connection, or a new version has replaced it on the server. */
class MissingFileError extends Error {
  constructor(cause: unknown) {
    super("A file of the console could not be fetched", { cause });
    this.name = "MissingFileError";
  }
}

/** Fetches a part of the console. @throws MissingFileError: browsers have no name for it, and each its own words. */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new MissingFileError(cause);
  }
}

const loadAgain = () => window.location.reload();

/** Stands where a part of a screen would be whose file can't be fetched. What is typed beside it stays. */
export function MissingPart() {
  const { t } = useTranslation();
  return (
    <ErrorState
      title={t("errors.missingFile")}
      error={{ message: t("errors.missingFileHelp") }}
      retryText={t("actions.reload")}
      onRetry={loadAgain}
    />
  );
}

/** In place of a part that would lie over the screen: a notice says so, and the screen below stays. */
export function MissingOverlay({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const notify = useRef(() => {
    notification.error({
      role: "alert",
      key: "missing-file",
      message: t("errors.missingFile"),
      description: t("errors.missingFileHelp"),
    });
    onClose();
  });
  useEffect(() => notify.current(), []);
  return null;
}

/** A screen that failed while drawing, or whose file is gone. Loading the document again mends the latter. */
export function ScreenError() {
  const { t } = useTranslation();
  const error = useRouteError();
  if (error instanceof MissingFileError) return <MissingPart />;
  return (
    <ErrorState
      title={t("errors.screen")}
      error={{ message: error instanceof Error ? error.message : t("errors.unknown") }}
      onRetry={() => window.location.reload()}
    />
  );
}
