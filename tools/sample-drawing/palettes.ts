import type { Palette } from "./sheet.ts";

export const NAVY_GOLD: Palette = {
  paper: "#fdfbf5",
  ink: "#1b2438",
  quiet: "#5a6172",
  accent: "#1f3a68",
  metal: "#b08a3c",
};
export const FOREST: Palette = {
  paper: "#fbfaf3",
  ink: "#1d2a22",
  quiet: "#566259",
  accent: "#255a3f",
  metal: "#a8843a",
};
export const BURGUNDY: Palette = {
  paper: "#fdf9f4",
  ink: "#2e1a1f",
  quiet: "#6d5a5e",
  accent: "#7a2338",
  metal: "#b28b4d",
};
export const PLUM: Palette = {
  paper: "#fbf8fc",
  ink: "#2a2038",
  quiet: "#615873",
  accent: "#57357f",
  metal: "#8d74b3",
};
export const JADE: Palette = {
  paper: "#f4fbf8",
  ink: "#17302c",
  quiet: "#4f6863",
  accent: "#17665a",
  metal: "#4c9788",
};
export const MIDNIGHT_GOLD: Palette = {
  paper: "#141d31",
  ink: "#f3ead2",
  quiet: "#b9b8b4",
  accent: "#f0cf85",
  metal: "#d2a954",
};
export const PINE_GOLD: Palette = {
  paper: "#12302a",
  ink: "#f1efdc",
  quiet: "#b7c4b8",
  accent: "#ecd08a",
  metal: "#cda857",
};
export const DUCK: Palette = {
  paper: "#ffffff",
  ink: "#22303c",
  quiet: "#5b6873",
  accent: "#c2571a",
  metal: "#f5b82e",
};
export const CORAL: Palette = {
  paper: "#ffffff",
  ink: "#2b2350",
  quiet: "#5f5a78",
  accent: "#c23b5a",
  metal: "#f3a29b",
};
export const LAGOON: Palette = {
  paper: "#ffffff",
  ink: "#12394a",
  quiet: "#4f6a76",
  accent: "#0d7a7f",
  metal: "#8fd3c8",
};
export const BLUEPRINT: Palette = {
  paper: "#1d4a86",
  ink: "#f2f7ff",
  quiet: "#c4d8f2",
  accent: "#2f5f9f",
  metal: "#ffd97a",
};
export const NIGHT: Palette = {
  paper: "#12182f",
  ink: "#f2f0e6",
  quiet: "#b4bbd3",
  accent: "#232c50",
  metal: "#f2c66d",
};
export const DUSK: Palette = {
  paper: "#2a1a3d",
  ink: "#f8ecf2",
  quiet: "#cdb8d6",
  accent: "#43295c",
  metal: "#ff9f7a",
};
export const AUBERGINE_GOLD: Palette = {
  paper: "#2b1a33",
  ink: "#f6ecdf",
  quiet: "#cdbccf",
  accent: "#f0cd8e",
  metal: "#cfa35a",
};
export const PAPER_RED: Palette = {
  paper: "#fffdf9",
  ink: "#27272b",
  quiet: "#5f5f66",
  accent: "#b3302f",
  metal: "#d9cdb8",
};
