import "@ant-design/v5-patch-for-react-19";
import "#src/ui/tokens.css";
import "./layout/layout.css";
import "./layout/connection-notice.css";
import "./ui/states.css";
import { createRoot, type Root } from "react-dom/client";
import type { AccountUser } from "#contract/accounts/accounts.ts";
import { uploadAnswer } from "#contract/content/objects.ts";
import { toLanguage } from "#contract/languages.ts";
import { createSafeStorage, LOGIN_NOTICE_KEY, readPreferredLanguage } from "#providers/browser-storage.ts";
import { buildLoginAddress, createAuthProvider } from "#providers/http/auth.ts";
import { createHttp } from "#providers/http/http.ts";
import { createSession } from "#providers/http/session.ts";
import { createI18n, createI18nProvider } from "#providers/i18n.ts";
import { createDataProvider } from "#providers/refine/data.ts";
import { createLiveProvider } from "#providers/refine/live.ts";
import { createAccessControl, type Permissions, rememberPermissions } from "#providers/refine/permissions.ts";
import { createSocket } from "#providers/socket/socket.ts";
import tokensCss from "#src/ui/tokens.css?raw";
import { AdminApp, AppFrame } from "./app.tsx";
import { createQueryClient } from "./cache/query-client.ts";
import { forgetRecent } from "./palette/recent.ts";
import { parseTokens, putAccent } from "./preferences/antd-theme.ts";
import { createAdminRouter } from "./router.tsx";
import type { AdminProviders, AdminServices } from "./services.ts";
import { followLevel } from "./session/follow-level.ts";
import { createStarter, readStart, type Start } from "./session/start.ts";
import { FactorOwed, StartFailed } from "./session/start-screens.tsx";
import { hasUnsaved } from "./session/unsaved.ts";

/** Longer than a screen takes to give way to the next one. */
const TOPIC_LINGER_MS = 1000;

/** Typed things stay on the screen: a form that holds some says by itself that the session is over. */
const leave = (address: string) => {
  if (!hasUnsaved()) window.location.assign(address);
};
const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const goToLogin = () => leave(buildLoginAddress(window.location));

const i18n = createI18n(toLanguage(document.documentElement.lang));
const getLanguage = () => i18n.language;
const session = createSession({
  getLanguage,
  identity: () => import("../ui/identity/identity.ts"),
  onSessionEnd(why, text) {
    // The log-in page is another document: it reads it from the tab's storage.
    if (why === "expired" && text && !hasUnsaved()) tabStorage.setItem(LOGIN_NOTICE_KEY, text);
    goToLogin();
  },
});
const http = createHttp({ getLanguage, session, isGuestRefused: true });
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

let root: Root | undefined;

/** Made when something is drawn: until then the document's own words stay. */
function requireRoot(): Root {
  const element = document.getElementById("root");
  if (!element) throw new Error("src/admin/index.html has no #root");
  root ??= createRoot(element);
  return root;
}

const frame = {
  i18n,
  tokens: putAccent(
    parseTokens(tokensCss),
    document.querySelector<HTMLMetaElement>('meta[name="accent"]')?.content,
  ),
  nonce: document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content,
};

function chooseLanguage(user: AccountUser | undefined): void {
  const lang = user?.profile.admin_language ?? readPreferredLanguage(createSafeStorage()) ?? i18n.language;
  document.documentElement.lang = lang;
  void i18n.changeLanguage(lang);
}

function draw(user: AccountUser, permissions: Permissions): void {
  // While the first screen is on its way: a list that is joined before its rows are asked for asks for them once.
  socket.hold();
  chooseLanguage(user);
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
  requireRoot().render(
    <AdminApp
      router={createAdminRouter()}
      providers={providers}
      services={{ ...baseServices, permissions }}
      {...frame}
    />,
  );
}

function open(start: Start): void {
  rememberPermissions(session, start.kind === "staff" ? start.permissions : undefined);
  if (start.kind === "guest") goToLogin();
  else if (start.kind === "visitor") leave("/");
  else if (start.kind === "owing") showOwing(start.user);
  else draw(start.user, start.permissions);
}

async function logOut(): Promise<void> {
  const user = session.getAuthState()?.user;
  if (user) forgetRecent(user.id);
  await session.signOut();
  leave("/login");
}

/** The remembered person's language and theme: the server has said neither. */
function showFailure(error: unknown, retry: () => Promise<void>): void {
  const user = session.getAuthState()?.user;
  chooseLanguage(user);
  requireRoot().render(
    <AppFrame session={session} {...frame}>
      <StartFailed error={error} onRetry={retry} onLogOut={user && logOut} />
    </AppFrame>,
  );
}

function showOwing(user: AccountUser): void {
  chooseLanguage(user);
  requireRoot().render(
    <AppFrame session={session} {...frame}>
      <FactorOwed onLogOut={logOut} />
    </AppFrame>,
  );
}

// The document says it in English before this file is here.
const startStatus = document.getElementById("start-status");
if (startStatus) startStatus.textContent = i18n.t("states.loading");

void createStarter({ read: () => readStart(session, http), open, fail: showFailure })();
