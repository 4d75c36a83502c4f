import { type ThemeConfig, theme } from "antd";
import { toAccentTokens } from "#contract/site/accent.ts";

export type ColorScheme = "light" | "dark";

/** Custom properties of `src/ui/tokens.css` by their name without dashes, raw: `paper` → `light-dark(#fbfbf9, #15181b)`. */
export type Tokens = Readonly<Record<string, string>>;

/** Reads the declarations of the first `:root`; the blocks after it only repeat them for special cases. */
export function parseTokens(css: string): Tokens {
  const withoutComments = css.replace(/\/\*[\s\S]*?\*\//g, "");
  const block = /:root\s*\{([^}]*)\}/.exec(withoutComments)?.[1] ?? "";
  const pairs = [...block.matchAll(/--([\w-]+)\s*:\s*([^;]+);/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value?.trim()]));
}

/** The tokens with the shades of the owner's accent, where the server has named one: `/look.css` gives the same to style sheets. */
export function putAccent(tokens: Tokens, accent: string | undefined): Tokens {
  return accent ? { ...tokens, ...toAccentTokens(accent) } : tokens;
}

function requireToken(tokens: Tokens, name: string): string {
  const value = tokens[name];
  if (value === undefined) throw new Error(`src/ui/tokens.css has no --${name}`);
  return value;
}

/** The colour of a scheme: one side of `light-dark(a, b)`, or the value itself. */
export function getColor(tokens: Tokens, name: string, scheme: ColorScheme): string {
  const value = requireToken(tokens, name);
  const sides = /^light-dark\(\s*(#\w+)\s*,\s*(#\w+)\s*\)$/.exec(value);
  return sides?.[scheme === "light" ? 1 : 2] ?? value;
}

/** A length in CSS pixels, from `px` or `rem` of 16 px. */
export function getPixels(tokens: Tokens, name: string): number {
  const value = requireToken(tokens, name);
  const number = Number.parseFloat(value);
  return value.endsWith("rem") ? Math.round(number * 16) : number;
}

function getText(tokens: Tokens, name: string): string {
  return requireToken(tokens, name);
}

/**
 * antd's theme, computed from the design tokens, so that public pages and console are one family. Without motion antd skips
 * its transitions; a style sheet that cuts them short would leave it waiting for their end. Fingers get controls of 44 px.
 */
export function buildTheme(
  tokens: Tokens,
  scheme: ColorScheme,
  { hasMotion, isTouch }: { hasMotion: boolean; isTouch: boolean },
): ThemeConfig {
  const color = (name: string) => getColor(tokens, name, scheme);
  const base = scheme === "dark" ? theme.darkAlgorithm : theme.defaultAlgorithm;
  const seeds = {
    colorPrimary: color("accent"),
    colorInfo: color("accent"),
    colorLink: color("accent"),
    colorSuccess: color("success"),
    colorWarning: color("warning"),
    colorError: color("danger"),
  };
  return {
    // The second step puts the tokens' own values back, where antd derives the ones it shows from them.
    algorithm: [base, (_seed, map) => ({ ...(map ?? base(_seed)), ...seeds })],
    // No `cssVar`: antd inserts the styles of its variables without the nonce, and the policy refuses them.
    hashed: false,
    token: {
      ...seeds,
      motion: hasMotion,
      colorPrimaryHover: color("accent-hover"),
      colorPrimaryActive: color("accent-hover"),
      colorLinkHover: color("accent-hover"),
      colorLinkActive: color("accent-hover"),
      colorSuccessBg: color("success-soft"),
      colorSuccessBorder: color("success"),
      colorWarningBg: color("warning-soft"),
      colorWarningBorder: color("warning"),
      colorInfoBg: color("accent-soft"),
      colorInfoBorder: color("accent"),
      colorErrorBg: color("danger-soft"),
      colorErrorBorder: color("danger"),
      colorErrorBgHover: color("danger-soft"),
      colorErrorHover: color("danger"),
      colorText: color("ink"),
      colorTextHeading: color("ink"),
      colorTextSecondary: color("ink-quiet"),
      colorTextTertiary: color("ink-quiet"),
      colorTextDescription: color("ink-quiet"),
      colorTextPlaceholder: color("ink-quiet"),
      colorTextQuaternary: color("line-strong"),
      colorIcon: color("ink-quiet"),
      colorTextLightSolid: color("on-accent"),
      colorBgBase: color("paper-raised"),
      colorBgContainer: color("paper-raised"),
      colorBgElevated: color("paper-raised"),
      colorBgLayout: color("paper"),
      colorBorder: color("line-strong"),
      colorBorderSecondary: color("line"),
      colorSplit: color("line"),
      controlItemBgActive: color("accent-soft"),
      controlItemBgHover: color("paper-sunken"),
      controlOutline: color("accent-soft"),
      borderRadius: getPixels(tokens, "radius"),
      borderRadiusLG: getPixels(tokens, "radius"),
      borderRadiusSM: getPixels(tokens, "radius-small"),
      fontFamily: getText(tokens, "font-body"),
      fontFamilyCode: getText(tokens, "font-mono"),
      fontSize: 14,
      controlHeight: isTouch ? getPixels(tokens, "control-height") : 36,
    },
    components: {
      Button: {
        primaryColor: color("on-accent"),
        dangerColor: color("on-accent"),
        primaryShadow: "none",
        dangerShadow: "none",
      },
      Table: {
        cellPaddingBlockMD: 10,
        cellPaddingInlineMD: getPixels(tokens, "space-3"),
        headerBg: color("paper-sunken"),
        headerSortActiveBg: color("paper-sunken"),
        headerSortHoverBg: color("accent-soft"),
        bodySortBg: color("paper-raised"),
        rowHoverBg: color("paper-sunken"),
      },
      Tag: { defaultBg: color("paper-sunken"), defaultColor: color("ink") },
      Form: {
        labelColor: color("ink"),
        itemMarginBottom: getPixels(tokens, "space-5"),
        verticalLabelPadding: "0 0 4px",
      },
    },
  };
}
