import { ConfigProvider } from "antd";
import type { ComponentProps } from "react";
import { type PacedText, usePacedText } from "./use-paced-text.ts";

export type TextInputProps = Omit<ComponentProps<"input">, keyof PacedText | "defaultValue" | "ref"> &
  PacedText;

/** One line of text: the browser's own input, in the looks of antd's. */
export function TextInput({ value, onChange, onBlur, className = "", ...rest }: TextInputProps) {
  const { componentDisabled = false } = ConfigProvider.useConfig();
  const paced = usePacedText<HTMLInputElement>({
    ...(value !== undefined && { value }),
    ...(onChange && { onChange }),
    ...(onBlur && { onBlur }),
  });
  return (
    <input
      autoComplete="off"
      disabled={componentDisabled}
      {...rest}
      {...paced}
      className={`text-input ${className}`}
    />
  );
}
