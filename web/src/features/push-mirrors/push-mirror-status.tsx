/** How a push mirror is, in one word. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/push-mirrors.ts";
import { Badge } from "../../ui/badge.tsx";

const tones = {
  waiting: "info",
  syncing: "info",
  up_to_date: "good",
  diverged: "bad",
  failing: "bad",
  paused: "plain",
} as const;

export function PushMirrorStatus({ status }: Pick<Schemas["PushMirror"], "status">) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>;
}
