/** The viewer's inbox, a page at a time, as the address says what is wanted of it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { notificationReasons } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";

export type Notification = Schemas["Notification"];
export const perPage = 50;

export const views = ["inbox", "unread", "saved", "done"] as const;
export type View = (typeof views)[number];

export interface Filters {
  view: View;
  reason: Notification["reason"] | undefined;
}

/** What does not exist is left out. */
export function filtersOf(query: URLSearchParams): Filters {
  return {
    view: views.find((each) => each === query.get("view")) ?? "inbox",
    reason: notificationReasons.find((each) => each === query.get("reason")),
  };
}

export function useNotifications({ view, reason }: Filters, page: number) {
  const query = {
    page,
    per_page: perPage,
    ...(view === "inbox" ? {} : { [view]: "true" as const }),
    ...(reason ? { reason } : {}),
  };
  return useQuery({
    queryKey: ["get", "/notifications", query],
    queryFn: async ({ signal }) => {
      const { data, response } = await api.GET("/notifications", { params: { query }, signal });
      return { notifications: data ?? [], total: totalOf(response) };
    },
    placeholderData: keepPreviousData,
  });
}

export async function changeAll(
  notifications: readonly Pick<Notification, "id">[],
  body: Schemas["NotificationUpdate"],
): Promise<void> {
  for (const { id } of notifications)
    await api.PATCH("/notifications/{id}", { params: { path: { id } }, body });
}

/** By repository, in the order of the list. */
export function byRepository(notifications: readonly Notification[]): [string, Notification[]][] {
  const groups = new Map<string, Notification[]>();
  for (const each of notifications) {
    const name = each.repository.full_name;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return [...groups];
}
