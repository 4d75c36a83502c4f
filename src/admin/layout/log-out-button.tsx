import { LogoutOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useLogOut } from "./use-log-out.ts";

/** Logs out, as the frame offers it. `onPress`: what lies over the screen has to go before a question may be asked. */
export function LogOutButton({ onPress }: { onPress?: () => void }) {
  const { t } = useTranslation();
  const { logOut, isPending } = useLogOut();
  return (
    <Button
      type="text"
      className="log-out-button"
      icon={<LogoutOutlined {...DECORATIVE} />}
      loading={isPending}
      onClick={() => {
        onPress?.();
        logOut();
      }}
    >
      {t("layout.logOut")}
    </Button>
  );
}
