import {
  AppstoreOutlined,
  DesktopOutlined,
  FileTextOutlined,
  GlobalOutlined,
  LaptopOutlined,
  LogoutOutlined,
  MoonOutlined,
  PlusOutlined,
  QuestionCircleOutlined,
  ReloadOutlined,
  SunOutlined,
} from "@ant-design/icons";
import { ScreenIcon } from "../layout/screen-icon.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";

const PALETTE_ICONS = {
  bulk: AppstoreOutlined,
  create: PlusOutlined,
  language: GlobalOutlined,
  "log-out": LogoutOutlined,
  record: FileTextOutlined,
  refresh: ReloadOutlined,
  shortcuts: QuestionCircleOutlined,
  site: DesktopOutlined,
  "theme-auto": LaptopOutlined,
  "theme-dark": MoonOutlined,
  "theme-light": SunOutlined,
} as const;

function isOwn(name: string): name is keyof typeof PALETTE_ICONS {
  return Object.hasOwn(PALETTE_ICONS, name);
}

export function PaletteIcon({ name }: { name: string }) {
  if (!isOwn(name)) return <ScreenIcon name={name} />;
  const Icon = PALETTE_ICONS[name];
  return <Icon {...DECORATIVE} />;
}
