import { useCustom, useCustomMutation } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  type ImportAnswer,
  type ImportChoices,
  type ImportEntry,
  importAnswer,
  importList,
  type NewImport,
  type UndoAnswer,
  undoAnswer,
} from "#contract/site/cv-import.ts";

const API = "/api/admin/cv-imports/";
const QUIET = { successNotification: false, errorNotification: false } as const;

/** The newest imports. */
export function useImports() {
  const { query } = useCustom({
    url: API,
    method: "get",
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: importList.parse(data) }) },
    errorNotification: false,
  });
  const results: readonly ImportEntry[] | undefined = importList.safeParse(query.data?.data).data?.results;
  return { results, error: query.error, retry: () => void query.refetch() };
}

/** One import: a draft with its plan, or what became of it. */
export function useImport(id: number) {
  const { query } = useCustom({
    url: `${API}${id}/`,
    method: "get",
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: importAnswer.parse(data) }) },
    errorNotification: false,
  });
  const answer: ImportAnswer | undefined = importAnswer.safeParse(query.data?.data).data;
  return { answer, error: query.error, refetch: () => void query.refetch() };
}

/** The calls that write. Each throws what the server says. After an import or an undo all that the console shows is fetched anew. */
export function useImportCalls() {
  const queryClient = useQueryClient();
  const { mutateAsync } = useCustomMutation();
  const post = async (path: string, values: object) =>
    (await mutateAsync({ url: `${API}${path}`, method: "post", values, ...QUIET })).data;
  return {
    async create(file: NewImport): Promise<ImportAnswer> {
      return importAnswer.parse(await post("", file));
    },
    async answer(id: number, answers: ImportChoices): Promise<ImportAnswer> {
      return importAnswer.parse(await post(`${id}/answers/`, answers));
    },
    async apply(id: number, about: { answers: ImportChoices; fingerprint: string }): Promise<ImportAnswer> {
      const answer = importAnswer.parse(await post(`${id}/apply/`, about));
      void queryClient.invalidateQueries();
      return answer;
    },
    async undo(id: number, isPartial: boolean): Promise<UndoAnswer> {
      const answer = undoAnswer.parse(await post(`${id}/undo/`, { is_partial: isPartial }));
      void queryClient.invalidateQueries();
      return answer;
    },
  };
}
