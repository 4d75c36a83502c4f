import { Input } from "antd";
import type { ComponentProps } from "react";

/**
 * A text of several lines that grows with what is in it, by CSS: antd's own `autoSize` measures the layout at each key. Browsers
 * without `field-sizing` show the given rows and let the person pull.
 */
export function Area({
  className = "",
  rows = 4,
  ...rest
}: Omit<ComponentProps<typeof Input.TextArea>, "autoSize">) {
  return <Input.TextArea {...rest} rows={rows} className={`area ${className}`} />;
}
