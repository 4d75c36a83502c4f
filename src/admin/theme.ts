import { type ThemeConfig, theme } from "antd";
import { type ColorScheme, getColor, getPixels, getText, type Tokens } from "./tokens.ts";

/** antd's theme, computed from the design tokens, so that public pages and console are one family. */
export function buildTheme(tokens: Tokens, scheme: ColorScheme): ThemeConfig {
  const color = (name: string) => getColor(tokens, name, scheme);
  return {
    algorithm: scheme === "dark" ? theme.darkAlgorithm : theme.defaultAlgorithm,
    // One class for the variables of this page: a change of scheme swaps values, not class names.
    cssVar: { key: "foyer" },
    hashed: false,
    token: {
      colorPrimary: color("accent"),
      colorPrimaryHover: color("accent-hover"),
      colorPrimaryActive: color("accent-hover"),
      colorInfo: color("accent"),
      colorLink: color("accent"),
      colorLinkHover: color("accent-hover"),
      colorLinkActive: color("accent-hover"),
      colorSuccess: color("success"),
      colorWarning: color("warning"),
      colorError: color("danger"),
      colorErrorBg: color("danger-soft"),
      colorErrorHover: color("danger"),
      colorText: color("ink"),
      colorTextHeading: color("ink"),
      colorTextSecondary: color("ink-quiet"),
      colorTextTertiary: color("ink-quiet"),
      colorTextDescription: color("ink-quiet"),
      colorTextPlaceholder: color("ink-quiet"),
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
      controlHeight: 36,
    },
    components: {
      Button: {
        primaryColor: color("on-accent"),
        dangerColor: color("on-accent"),
        primaryShadow: "none",
        dangerShadow: "none",
      },
      Table: {
        headerBg: color("paper-sunken"),
        headerSortActiveBg: color("paper-sunken"),
        headerSortHoverBg: color("accent-soft"),
        bodySortBg: color("paper-raised"),
        rowHoverBg: color("paper-sunken"),
      },
      Drawer: { footerPaddingBlock: getPixels(tokens, "space-3") },
      Tag: { defaultBg: color("paper-sunken"), defaultColor: color("ink") },
      Form: {
        labelColor: color("ink"),
        itemMarginBottom: getPixels(tokens, "space-5"),
        verticalLabelPadding: "0 0 4px",
      },
    },
  };
}
