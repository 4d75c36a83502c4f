import { App as AntApp, ConfigProvider, type ConfigProviderProps } from "antd";
import enUS from "antd/locale/en_US.js";
import trTR from "antd/locale/tr_TR.js";
import type { i18n } from "i18next";
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import { I18nextProvider } from "react-i18next";
import { type createBrowserRouter, RouterProvider } from "react-router";
import { type Language, toLanguage } from "#contract/languages.ts";
import { ReadKeyContext } from "./navigation/addresses.ts";
import { buildTheme, type Tokens } from "./preferences/antd-theme.ts";
import { useColorScheme, useProfileTheme } from "./preferences/preferences.ts";
import { type AdminProviders, type AdminServices, ProvidersContext, ServicesContext } from "./services.ts";
import { useMedia } from "./ui/viewport.ts";

type Locale = NonNullable<ConfigProviderProps["locale"]>;

/** These files are CommonJS: whether the default import is the locale or the module around it differs by loader. */
function unwrap(module: Locale | { default: Locale }): Locale {
  return "default" in module ? module.default : module;
}

const ANTD_LOCALES: Readonly<Record<Language, Locale>> = { en: unwrap(enUS), tr: unwrap(trTR) };

/** As the style sheets ask: fingers, or a window as narrow as a phone. */
const TOUCH = "(pointer: coarse), (width < 768px)";

interface AppFrameProps {
  session: AdminServices["session"];
  i18n: i18n;
  tokens: Tokens;
  /** Lets antd's style elements pass the content security policy. */
  nonce: string | undefined;
}

function useLanguage(instance: i18n) {
  return useSyncExternalStore(
    (onChange) => {
      instance.on("languageChanged", onChange);
      return () => instance.off("languageChanged", onChange);
    },
    () => toLanguage(instance.language),
  );
}

/** What lies around antd's drawers and modals, and closes them. */
const MASKS = ".ant-drawer-mask, .ant-modal-wrap";

/** The second click of a double click meant the button that has opened the dialog: it doesn't close it again. */
function useDeafMasks(): void {
  useEffect(() => {
    const drop = (event: MouseEvent) => {
      const isMask = event.target instanceof Element && event.target.matches(MASKS);
      if (isMask && event.detail > 1) event.stopPropagation();
    };
    // Before React's own listeners, which stand at the roots.
    document.addEventListener("click", drop, true);
    return () => document.removeEventListener("click", drop, true);
  }, []);
}

/** Notices cover neither the header, nor a list's buttons, which stand at its right, nor what saves a form at its foot. */
const ABOVE_ACTIONS_PX = 80;

/** Theme, texts and antd around whatever is drawn: the console, or why it can't be. */
export function AppFrame({
  session,
  i18n: instance,
  tokens,
  nonce,
  children,
}: AppFrameProps & { children: ReactNode }) {
  useDeafMasks();
  const scheme = useColorScheme(useProfileTheme(session));
  const lang = useLanguage(instance);
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const isTouch = useMedia(TOUCH);
  const antdTheme = useMemo(
    () => buildTheme(tokens, scheme, { hasMotion: !isStill, isTouch }),
    [tokens, scheme, isStill, isTouch],
  );
  return (
    <I18nextProvider i18n={instance}>
      <ConfigProvider
        theme={antdTheme}
        locale={ANTD_LOCALES[lang]}
        {...(nonce && { csp: { nonce } })}
        button={{ autoInsertSpace: false }}
      >
        <AntApp
          className="admin-app"
          notification={{ placement: "bottomLeft", bottom: ABOVE_ACTIONS_PX, maxCount: 3 }}
        >
          {children}
        </AntApp>
      </ConfigProvider>
    </I18nextProvider>
  );
}

export interface AdminAppProps extends Omit<AppFrameProps, "session"> {
  router: ReturnType<typeof createBrowserRouter>;
  providers: AdminProviders;
  services: AdminServices;
}

/** Frame and services around the router. */
export function AdminApp({ router, providers, services, ...frame }: AdminAppProps) {
  return (
    <AppFrame session={services.session} {...frame}>
      <ServicesContext value={services}>
        <ProvidersContext value={providers}>
          <ReadKeyContext value={() => router.state.location.key}>
            <RouterProvider router={router} />
          </ReadKeyContext>
        </ProvidersContext>
      </ServicesContext>
    </AppFrame>
  );
}
