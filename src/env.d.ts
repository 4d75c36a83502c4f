/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Origin of another back end with the same endpoints; empty means this site. */
  readonly VITE_API_URL?: string;
}
