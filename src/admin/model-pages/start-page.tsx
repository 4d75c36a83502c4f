import { FileAddOutlined } from "@ant-design/icons";
import { useCustomMutation, useInvalidate, useNotification } from "@refinedev/core";
import { Button, Dropdown } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { PAGE_STARTS, startedPage } from "#contract/site/page-draft.ts";
import { objectPaths, type RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { toErrorText } from "../ui/errors.tsx";

/** Makes a page of a text to be filled in, and opens it. It is hidden until somebody shows it. */
export function StartPage({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const { open: notify } = useNotification();
  const { mutateAsync, mutation } = useCustomMutation();
  if (!source.permissions.create) return null;

  async function start(name: string): Promise<void> {
    try {
      const { data } = await mutateAsync({
        url: "/api/admin/pages/starts/",
        method: "post",
        values: { start: name },
        successNotification: false,
        errorNotification: false,
      });
      const { content_type_id, id } = startedPage.parse(data);
      void invalidate({ resource: source.resource, invalidates: ["list"] });
      void navigate(objectPaths.edit(content_type_id, id));
    } catch (error) {
      notify?.({ type: "error", message: t("pageStarts.failed"), description: toErrorText(error, t) });
    }
  }

  const items = PAGE_STARTS.map((name) => ({ key: name, label: t(`pageStarts.${name}`) }));
  return (
    <Dropdown trigger={["click"]} menu={{ items, onClick: ({ key }) => void start(key) }}>
      <Button icon={<FileAddOutlined {...DECORATIVE} />} loading={mutation.isPending}>
        {t("pageStarts.button")}
      </Button>
    </Dropdown>
  );
}
