/**
 * In place of antd's lock (`useScrollLocker` of @rc-component/portal, by vite.config.ts): that one inserts style elements without
 * the nonce, which the content security policy refuses with two errors for every drawer
 * (https://github.com/react-component/util/issues/613). layout/layout.css locks the page instead.
 */
export default function useScrollLocker(): void {
  // Nothing: the style sheet sees the open drawer or dialog by itself.
}
