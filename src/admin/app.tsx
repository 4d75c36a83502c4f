import { App as AntApp, ConfigProvider } from "antd";
import type { i18n } from "i18next";
import { useMemo, useSyncExternalStore } from "react";
import { I18nextProvider } from "react-i18next";
import { type createBrowserRouter, RouterProvider } from "react-router";
import { toLanguage } from "#contract/languages.ts";
import { ANTD_LOCALES } from "./antd-locales.ts";
import { useMedia } from "./parts/use-media.ts";
import { type AdminProviders, ProvidersContext } from "./providers-context.ts";
import { type AdminServices, ServicesContext } from "./services.ts";
import { buildTheme } from "./theme.ts";
import type { Tokens } from "./tokens.ts";
import { useColorScheme, useProfileTheme } from "./use-color-scheme.ts";

/** As the style sheets ask: fingers, or a window as narrow as a phone. */
const TOUCH = "(pointer: coarse), (width < 768px)";

export interface AdminAppProps {
  router: ReturnType<typeof createBrowserRouter>;
  providers: AdminProviders;
  services: AdminServices;
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

/** Theme, language and services around the router. */
export function AdminApp({ router, providers, services, i18n: instance, tokens, nonce }: AdminAppProps) {
  const scheme = useColorScheme(useProfileTheme(services.session));
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
        <AntApp className="admin-app" notification={{ placement: "topRight", maxCount: 3 }}>
          <ServicesContext value={services}>
            <ProvidersContext value={providers}>
              <RouterProvider router={router} />
            </ProvidersContext>
          </ServicesContext>
        </AntApp>
      </ConfigProvider>
    </I18nextProvider>
  );
}
