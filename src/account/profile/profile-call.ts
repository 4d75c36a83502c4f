import { type OwnProfile, ownProfile } from "#contract/accounts/own-account.ts";
import type { Http } from "#providers/http/http.ts";
import type { UploadProgress } from "#providers/http/upload.ts";

const PROFILE_PATH = "/api/users/profile/";

/** The form of `PUT /api/users/profile/`: only what is in it changes. */
export function toForm(values: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

export function fetchProfile(http: Http): Promise<OwnProfile> {
  return http.request(PROFILE_PATH, { schema: ownProfile });
}

/** Saves a form; one with pictures tells how much of it has left the browser. */
export function sendProfile(
  http: Http,
  form: FormData,
  onProgress?: (progress: UploadProgress) => void,
): Promise<OwnProfile> {
  const hasFile = [...form.values()].some((value) => value instanceof File);
  return hasFile && onProgress
    ? http.upload(PROFILE_PATH, form, { method: "PUT", schema: ownProfile, onProgress })
    : http.request(PROFILE_PATH, { method: "PUT", body: form, schema: ownProfile });
}
