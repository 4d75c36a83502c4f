import { useState } from "react";
import { toFailureText } from "../../../ui/failure-text.ts";
import { readStream, saveFile } from "../../../ui/save-file.ts";
import { useAccountText } from "../../account-text.tsx";
import { useProfile } from "../profile-context.tsx";

export type ExportState =
  | { step: "idle" }
  | { step: "running"; bytes: number }
  | { step: "done" }
  | { step: "failed"; text: string };

/** The name that the server gave the file. */
function readFileName(response: Response): string | undefined {
  return /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1];
}

/** Everything that the site keeps about the person, as a file. */
export function useOwnData() {
  const t = useAccountText();
  const { profile, services, withSession } = useProfile();
  const [state, setState] = useState<ExportState>({ step: "idle" });

  async function download() {
    setState({ step: "running", bytes: 0 });
    try {
      const response = await withSession(() =>
        services
          .getHttp()
          .requestRaw("/api/users/export/", { headers: { Accept: "application/zip, application/json" } }),
      );
      const file = await readStream(response, (bytes) => setState({ step: "running", bytes }));
      saveFile(file, readFileName(response) ?? `foyer-${profile.username}.zip`);
      setState({ step: "done" });
    } catch (error) {
      setState({ step: "failed", text: toFailureText(error, t("profile:data.exportFailed"), t) });
    }
  }

  return { state, download };
}
