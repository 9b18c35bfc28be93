/** The button that sends a delivery once more. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useHookOwner } from "./use-hook-owner.ts";

export function Redeliver({
  hookId,
  delivery,
}: {
  hookId: string;
  delivery: Pick<Schemas["WebhookDeliverySummary"], "id" | "number">;
}) {
  const { at, path } = useHookOwner();
  const params = { path: { ...path, id: hookId, delivery: delivery.id } };
  const change = useAction(() => api.POST(at("/{id}/deliveries/{delivery}/redeliver"), { params }), {
    said: text.redelivered,
  });
  return (
    <Button
      busy={change.isPending}
      aria-label={`${text.redeliver}: ${delivery.number}`}
      onClick={change.start}
    >
      {text.redeliver}
    </Button>
  );
}
