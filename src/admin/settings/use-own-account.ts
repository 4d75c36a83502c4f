import { useCustom } from "@refinedev/core";
import { accountUser } from "#contract/accounts.ts";

/** The signed-in person as the server knows them now (specification B section 3, current user and profile). */
export function useOwnAccount() {
  const { query } = useCustom({
    url: "/api/users/me/",
    method: "get",
    queryOptions: { staleTime: 0, select: ({ data }) => ({ data: accountUser.parse(data) }) },
    errorNotification: false,
  });
  return { query, account: accountUser.safeParse(query.data?.data).data };
}
