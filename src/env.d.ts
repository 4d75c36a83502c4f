/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** Origin of another back end with the same endpoints; empty means this site. */
  readonly VITE_API_URL?: string;
  /** Origin of another back end's voice calls and socket; empty means `VITE_API_URL`. */
  readonly VITE_VOICE_URL?: string;
}
