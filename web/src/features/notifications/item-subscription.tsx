/** Whether the viewer is told of an issue or a merge request, and why. Whoever looks at it has read what they were told. */
import { useQuery } from "@tanstack/react-query";
import { Bell, BellOff } from "lucide-react";
import { useEffect } from "react";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/notifications.ts";
import { Button } from "../../ui/button.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { subscriptionAddresses, subscriptionOptions, type Subscribable } from "./subscription-options.ts";
import { SideField } from "../work-items/side-field.tsx";

export interface ItemSubscriptionProps {
  kind: Subscribable;
  number: number;
}

export function ItemSubscription(props: ItemSubscriptionProps) {
  return useSession() ? <Shown {...props} /> : null;
}

function Shown({ kind, number }: ItemSubscriptionProps) {
  const { owner, repo } = useRepositoryPath();
  const params = { path: { owner, repo, number } };
  const address = subscriptionAddresses[kind];
  const { data } = useQuery(subscriptionOptions(kind, params.path));
  useRead(data?.notification ?? null);
  const change = useChange<boolean, unknown>((wanted) =>
    wanted ? api.PUT(address, { params }) : api.DELETE(address, { params }),
  );
  if (!data) return null;
  return (
    <SideField title={text.subscription} trigger={null}>
      <span>{wordsOf(data)}</span>
      {data.muted === "repository" ? null : (
        <Button
          kind="quiet"
          icon={data.subscribed ? <BellOff size={15} aria-hidden /> : <Bell size={15} aria-hidden />}
          busy={change.isPending}
          onClick={() => change.mutate(!data.subscribed, { onError: showProblem })}
        >
          {data.subscribed ? text.unsubscribe : text.subscribe}
        </Button>
      )}
    </SideField>
  );
}

function wordsOf({ reason, muted }: Schemas["ItemSubscription"]): string {
  if (muted === "repository") return text.repositoryMuted;
  if (muted === "thread") return text.threadMuted;
  return reason === null ? text.notSubscribed : text.because[reason];
}

/** What cannot be marked stays unread: nothing on the page depends on it. */
function useRead(notification: Schemas["ItemSubscription"]["notification"]): void {
  const id = notification?.unread ? notification.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    api
      .PATCH("/notifications/{id}", { params: { path: { id } }, body: { unread: false } })
      .then(() =>
        queryClient.invalidateQueries({
          predicate: ({ queryKey }) => String(queryKey[1]).startsWith("/notifications"),
        }),
      )
      .catch(() => undefined);
  }, [id]);
}
