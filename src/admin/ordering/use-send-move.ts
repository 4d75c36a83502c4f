import { useCustomMutation } from "@refinedev/core";
import { useQueryClient } from "@tanstack/react-query";
import { moveAnswer } from "#contract/order.ts";
import { ADMIN_API } from "#providers/endpoints.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { PlannedMove } from "./planned-moves.ts";

/** Sends one move, and resolves when the lists of the model that are shown hold it. After a refusal they hold what made the server refuse. */
export function useSendMove({ resource }: RecordSource): (move: PlannedMove) => Promise<void> {
  const queryClient = useQueryClient();
  const { mutateAsync } = useCustomMutation();
  return async ({ id, before }) => {
    try {
      const { data } = await mutateAsync({
        url: `${ADMIN_API}/${resource}/${id}/move/`,
        method: "post",
        values: { before },
        successNotification: false,
        errorNotification: false,
      });
      moveAnswer.parse(data);
    } finally {
      // Records that were read before have another number now, and so another version.
      await queryClient.invalidateQueries({ queryKey: ["data", "default", resource] });
    }
  };
}
