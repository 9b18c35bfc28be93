/** How a runner stands, in a word and a colour. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runners.ts";
import { Badge } from "../../ui/badge.tsx";
import type { Tone } from "../../ui/notice.tsx";

type Status = Schemas["RunnerStatus"];

const tones: Record<Status, Tone | "plain"> = {
  online: "good",
  offline: "plain",
  paused: "warn",
  draining: "warn",
  unreachable: "bad",
  not_ready: "bad",
};

export function RunnerStatus({ status }: { status: Status }) {
  return <Badge tone={tones[status]}>{text.statuses[status]}</Badge>;
}
