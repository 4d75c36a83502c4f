/** For icons beside a text. antd's icons call themselves by their English file name unless told not to. */
export const DECORATIVE = { "aria-hidden": true, "aria-label": undefined, role: undefined } as const;
