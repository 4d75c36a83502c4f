/** Hands a finished file to the browser under a name. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the data by then; without this the memory stays taken until the page goes.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Reads a stream to its end. Rejects when it breaks off, so that half a file never looks like a whole one. */
export async function readStream(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  if (!response.body) return response.blob();
  const parts: BlobPart[] = [];
  let bytes = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type });
    parts.push(value);
    bytes += value.byteLength;
    onProgress(bytes);
  }
}
