import "./import.css";
import { Button, Radio } from "antd";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { ErrorState } from "../ui/errors.tsx";
import { FormSkeleton } from "../ui/states.tsx";
import { formatDateTime } from "../views/kinds/cell-value.ts";
import { useFileDrop } from "../views/kinds/file-input.tsx";
import { toCountsText } from "./counts.ts";
import { Done, Draft, Refusal, useOneCall } from "./draft.tsx";
import { useImport, useImportCalls, useImports } from "./use-imports.ts";

/** `/admin/import`: a file is chosen; `/admin/import/12`: what it would do, or did. */
export function ImportPage() {
  const { t } = useTranslation();
  const { importId } = useParams();
  const parents = importId === undefined ? [] : [{ label: t("import.title"), to: "/admin/import" }];
  return (
    <>
      <PageHeader
        title={importId === undefined ? t("import.title") : t("import.one")}
        parents={parents}
        {...(importId === undefined && { text: t("import.text") })}
      />
      <div className="import-page">
        {importId === undefined ? (
          <>
            <ChooseFile />
            <FormerImports />
          </>
        ) : (
          <OneImport key={importId} id={Number(importId)} />
        )}
      </div>
    </>
  );
}

type Problem = "import.tooLarge" | "import.noFile" | "import.unreadable";

const MAX_BYTES = 5 * 1024 * 1024;

/** What a file holds, in base64. */
function toBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^.*?,/s, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}

/** The bytes of a file as they are, for the server knows what they are, or why they can't be had. */
async function readBytes(file: File): Promise<{ text: string; encoding: "base64" } | { problem: Problem }> {
  if (file.size > MAX_BYTES) return { problem: "import.tooLarge" };
  try {
    return { text: await toBase64(file), encoding: "base64" };
  } catch {
    // It was moved or changed since it was chosen; browsers say so in words of their own.
    return { problem: "import.unreadable" };
  }
}

function ChooseFile() {
  const { t, i18n } = useTranslation();
  const fileId = useId();
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const [lang, setLang] = useState<Language>(toLanguage(i18n.language));
  const [problem, setProblem] = useState<Problem>();
  const { isBusy, error, run } = useOneCall();
  const { create } = useImportCalls();
  const input = useRef<HTMLInputElement>(null);
  const { isOver, handlers } = useFileDrop((dropped) => {
    // Choosing the former file again must be a change again.
    if (input.current) input.current.value = "";
    setFile(dropped);
  });

  const look = () =>
    run(async () => {
      setProblem(undefined);
      if (!file) return setProblem("import.noFile");
      const read = await readBytes(file);
      if ("problem" in read) return setProblem(read.problem);
      const { entry } = await create({ file_name: file.name.slice(0, 200), lang, ...read });
      void navigate(`/admin/import/${entry.id}`);
    });

  return (
    <form
      className="import-form"
      onSubmit={(event) => {
        event.preventDefault();
        void look();
      }}
    >
      <label htmlFor={fileId}>{t("import.file")}</label>
      <div className="import-file" data-over={isOver} {...handlers}>
        {/* Its own button and word would be in the browser's language. */}
        <input
          ref={input}
          id={fileId}
          type="file"
          className="visually-hidden"
          accept=".json,application/json,.zip,application/zip"
          aria-describedby={`${fileId}-help ${fileId}-problem`}
          onChange={({ target }) => setFile(target.files?.[0])}
        />
        <label htmlFor={fileId} className="import-choose">
          {t("import.choose")}
        </label>
        <span className="import-counts">{file?.name ?? t("import.none")}</span>
      </div>
      <p id={`${fileId}-help`} className="import-counts">
        {t("import.linkedIn")}
      </p>
      <p id={`${fileId}-problem`} className="import-problem" role="alert">
        {problem && t(problem)}
      </p>
      <fieldset>
        <legend>{t("import.lang")}</legend>
        <Radio.Group
          value={lang}
          onChange={({ target }) => setLang(target.value)}
          options={LANGUAGES.map((value) => ({ value, label: t(`import.language.${value}`) }))}
        />
      </fieldset>
      <Refusal error={error} />
      <Button type="primary" htmlType="submit" loading={isBusy}>
        {t("import.look_at")}
      </Button>
    </form>
  );
}

function FormerImports() {
  const { t, i18n } = useTranslation();
  const { results, error, retry } = useImports();
  if (error) return <ErrorState title={t("import.listFailed")} error={error} onRetry={retry} />;
  if (!results || results.length === 0) return null;
  return (
    <section aria-label={t("import.former")} className="import-section">
      <h2>{t("import.former")}</h2>
      <ul>
        {results.map(({ id, file_name, lang, state, counts, created_at, applied_at }) => (
          <li key={id}>
            <Link to={`/admin/import/${id}`}>
              {file_name} ({t(`import.language.${lang}`)})
            </Link>
            <span className="import-counts">
              {[
                t(`import.states.${state}`),
                formatDateTime(applied_at ?? created_at, toLanguage(i18n.language)),
                counts && toCountsText(counts, t),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneImport({ id }: { id: number }) {
  const { t } = useTranslation();
  const { answer, error, refetch } = useImport(id);
  if (error) return <ErrorState title={t("import.readFailed")} error={error} onRetry={refetch} />;
  if (!answer) return <FormSkeleton />;
  const { entry, plan } = answer;
  return (
    <>
      <p className="import-counts">
        {entry.file_name} · {t(`import.language.${entry.lang}`)}
      </p>
      {entry.state === "draft" && plan ? (
        <Draft key={plan.fingerprint} given={answer} onApplied={refetch} onStale={refetch} />
      ) : (
        <Done answer={answer} onUndone={refetch} />
      )}
    </>
  );
}
