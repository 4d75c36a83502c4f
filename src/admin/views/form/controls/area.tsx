import { ConfigProvider } from "antd";
import type { ComponentProps } from "react";
import { type PacedText, usePacedText } from "./use-paced-text.ts";

export type AreaProps = Omit<ComponentProps<"textarea">, keyof PacedText | "defaultValue" | "ref"> &
  PacedText;

/**
 * A text of several lines that grows with what is in it, by CSS. Browsers without `field-sizing` show the given rows and let
 * the person pull.
 */
export function Area({ value, onChange, onBlur, className = "", rows = 4, ...rest }: AreaProps) {
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const paced = usePacedText<HTMLTextAreaElement>({
    ...(value !== undefined && { value }),
    ...(onChange && { onChange }),
    ...(onBlur && { onBlur }),
  });
  return (
    <textarea
      disabled={componentDisabled}
      {...rest}
      {...paced}
      rows={rows}
      className={`text-input area ${className}`}
    />
  );
}
