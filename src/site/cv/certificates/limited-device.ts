/** What some browsers tell of their device. */
interface DeviceHints {
  /** In GB, rounded to a power of two. */
  deviceMemory?: number;
  connection?: { saveData?: boolean };
}

const TOO_LITTLE_MEMORY_GB = 2;

/** Whether drawing a PDF, half a megabyte of script and much memory, is too much to ask of this device. */
export function isLimitedDevice(
  // TypeScript's Navigator has neither hint: they are not in every browser.
  hints: DeviceHints = navigator as DeviceHints,
  hasWorkers = "Worker" in globalThis,
): boolean {
  const hasLittleMemory = hints.deviceMemory !== undefined && hints.deviceMemory <= TOO_LITTLE_MEMORY_GB;
  return !hasWorkers || hasLittleMemory || hints.connection?.saveData === true;
}
