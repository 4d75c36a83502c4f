/** How much of a form has left the browser. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

interface Upload {
  url: string;
  method?: "POST" | "PUT" | undefined;
  form: FormData;
  headers: Readonly<Record<string, string>>;
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
}

/** POST or PUT by XMLHttpRequest, whose `upload` events fetch has nothing like. Rejects when no answer came. */
export function sendUpload({
  url,
  method = "POST",
  form,
  headers,
  onProgress,
  signal,
}: Upload): Promise<{ status: number; text: string; retryAfter: string | null }> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const call = new XMLHttpRequest();
    const abort = () => call.abort();
    call.open(method, url);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress?.({ sentBytes: loaded, totalBytes: total });
    call.onload = () =>
      resolve({
        status: call.status,
        text: call.responseText,
        retryAfter: call.getResponseHeader("Retry-After"),
      });
    call.onerror = () => reject(new TypeError("The upload failed."));
    call.onabort = () => reject(signal?.reason);
    call.onloadend = () => signal?.removeEventListener("abort", abort);
    signal?.addEventListener("abort", abort);
    call.send(form);
  });
}
