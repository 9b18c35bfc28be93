/** How a webhook and a delivery are, in one word. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";

type Status = Schemas["WebhookDeliverySummary"]["status"];

const tones = { pending: "info", retrying: "warn", delivered: "good", failed: "bad" } as const;

export function DeliveryStatus({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>;
}

export function HookState({ hook }: { hook: Schemas["Webhook"] }) {
  if (!hook.active)
    return <Badge tone={hook.disabled_reason === null ? "plain" : "bad"}>{text.states.off}</Badge>;
  if (hook.failing_since !== null) return <Badge tone="warn">{text.states.failing}</Badge>;
  return <Badge tone="good">{text.states.on}</Badge>;
}
