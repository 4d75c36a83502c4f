const PATHS = {
  microphone: "M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  microphoneOff:
    "M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M4 4l16 16",
  camera: "M4 7h10v10H4ZM14 11l6-3.5v9L14 13",
  cameraOff: "M4 7h10v10H4ZM14 11l6-3.5v9L14 13M3 4l17 16",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 5v4M7 15v4",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  leave: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  text: "M4 5h16v11H10l-5 4v-4H4Z",
  share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
  invite: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5",
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a word, never in its place. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="voice-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
