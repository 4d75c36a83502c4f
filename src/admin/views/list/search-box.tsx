import { SearchOutlined } from "@ant-design/icons";
import { Input, type InputRef } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { ChangeView } from "../state/use-list-view.ts";

const TYPING_PAUSE_MS = 300;

interface SearchBoxProps {
  search: string;
  onChange: ChangeView;
}

/**
 * Searches when the typing pauses. The first search of a visit to the box makes a history entry, the ones that go on typing
 * replace it: one Back leads to where the person was before.
 */
export function SearchBox({ search, onChange }: SearchBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(search);
  const hasPushed = useRef(false);
  const sent = useRef(search);
  const box = useRef<InputRef>(null);
  useShortcut("/", "list.shortcuts.search", () => box.current?.focus({ cursor: "all" }));

  // Back, Forward and links change the search from outside; what one types oneself comes back as it was sent.
  useEffect(() => {
    if (search !== sent.current) setText(search);
    sent.current = search;
  }, [search]);

  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onChange({ search: text }, { replace: hasPushed.current });
      hasPushed.current = true;
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);

  return (
    <Input
      ref={box}
      className="search-box"
      type="search"
      allowClear
      prefix={<SearchOutlined {...DECORATIVE} />}
      aria-label={t("list.search")}
      placeholder={t("list.search")}
      maxLength={ADMIN_LIMITS.searchMaxChars}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        hasPushed.current = false;
      }}
    />
  );
}
