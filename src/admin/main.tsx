import "@ant-design/v5-patch-for-react-19";
import "#src/ui/tokens.css";
import "./layout/layout.css";
import "./layout/connection-notice.css";
import "./parts/states.css";
import { createRoot } from "react-dom/client";
import { hasAdminAccess } from "#contract/access-levels.ts";
import type { AccountUser } from "#contract/accounts.ts";
import { toLanguage } from "#contract/languages.ts";
import { uploadAnswer } from "#contract/models.ts";
import { createAccessControl } from "#providers/access-control.ts";
import { buildLoginAddress, createAuthProvider } from "#providers/auth.ts";
import { createDataProvider } from "#providers/data.ts";
import { createHttp } from "#providers/http.ts";
import { createI18n, createI18nProvider } from "#providers/i18n.ts";
import { createLiveProvider } from "#providers/live.ts";
import { fetchPermissions, guessPermissions, type Permissions } from "#providers/permissions.ts";
import { readPreferredLanguage } from "#providers/preferred-language.ts";
import { createSafeStorage } from "#providers/safe-storage.ts";
import { createSession } from "#providers/session.ts";
import { createSocket } from "#providers/socket.ts";
import tokensCss from "#src/ui/tokens.css?raw";
import { AdminApp } from "./app.tsx";
import { followLevel } from "./follow-level.ts";
import { forgetRecent } from "./palette/recent.ts";
import { toErrorText } from "./parts/error-text.ts";
import type { AdminProviders } from "./providers-context.ts";
import { createQueryClient } from "./query-client.ts";
import { createAdminRouter } from "./router.tsx";
import type { AdminServices } from "./services.ts";
import { parseTokens } from "./tokens.ts";
import { hasUnsaved } from "./unsaved.ts";

/** Longer than a screen takes to give way to the next one. */
const TOPIC_LINGER_MS = 1000;

/** Typed things stay on the screen: a form that holds some says by itself that the session is over. */
const leave = (address: string) => {
  if (!hasUnsaved()) window.location.assign(address);
};
const goToLogin = () => leave(buildLoginAddress(window.location));

const i18n = createI18n(toLanguage(document.documentElement.lang));
const getLanguage = () => i18n.language;
const session = createSession({ getLanguage, onSessionEnd: goToLogin });
const http = createHttp({ getLanguage, session });
const socket = createSocket({ session });

function createProviders(permissions: Permissions): AdminProviders {
  return {
    queryClient: createQueryClient(),
    dataProvider: createDataProvider(http),
    authProvider: createAuthProvider({
      session,
      leave,
      getLocation: () => window.location,
      onLogout: ({ id }) => forgetRecent(id),
    }),
    accessControlProvider: createAccessControl(permissions),
    i18nProvider: createI18nProvider(i18n),
    liveProvider: createLiveProvider(socket, { lingerMs: TOPIC_LINGER_MS }),
  };
}

const baseServices: Omit<AdminServices, "permissions"> = {
  upload({ model, field, file }, { onProgress, signal }) {
    const form = new FormData();
    form.set("model", String(model));
    form.set("field", field);
    form.set("file", file);
    return http.upload("/api/admin/files/", form, {
      schema: uploadAnswer,
      onProgress: ({ sentBytes, totalBytes }) => onProgress(totalBytes > 0 ? sentBytes / totalBytes : 0),
      signal,
    });
  },
  download: (path, { signal, body }) =>
    http.requestRaw(path, body === undefined ? { signal } : { signal, method: "POST", body }),
  session,
  socket,
};

function draw(user: AccountUser, permissions: Permissions): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("src/admin/index.html has no #root");
  // While the first screen is on its way: a list that is joined before its rows are asked for asks for them once.
  socket.hold();
  const lang = user.profile.admin_language ?? readPreferredLanguage(createSafeStorage()) ?? i18n.language;
  document.documentElement.lang = lang;
  void i18n.changeLanguage(lang);
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  const providers = createProviders(permissions);
  followLevel({
    queryClient: providers.queryClient,
    session,
    level: user.access_level,
    // The start reads the new permissions, or leaves the console.
    onChange: () => {
      if (!hasUnsaved()) window.location.reload();
    },
  });
  createRoot(root).render(
    <AdminApp
      router={createAdminRouter()}
      providers={providers}
      services={{ ...baseServices, permissions }}
      i18n={i18n}
      tokens={parseTokens(tokensCss)}
      nonce={nonce}
    />,
  );
}

/** The server can't be asked who this is, or has failed: say which, with the way to try again, in the shell's own elements. */
function showStartError(error: unknown): void {
  console.error(error);
  const retry = document.getElementById("start-retry");
  if (!startStatus || !retry) return;
  startStatus.textContent = toErrorText(error, i18n.t);
  retry.textContent = i18n.t("actions.retry");
  retry.hidden = false;
  retry.addEventListener("click", () => window.location.reload());
}

// The document says it in English before this file is here.
const startStatus = document.getElementById("start-status");
if (startStatus) startStatus.textContent = i18n.t("states.loading");

try {
  const [state, permissions] = await Promise.all([session.restore(), fetchPermissions(http)]);
  if (!state) goToLogin();
  else if (!hasAdminAccess(state.user.access_level)) leave("/");
  else draw(state.user, permissions ?? guessPermissions(state.user));
} catch (error) {
  showStartError(error);
}
