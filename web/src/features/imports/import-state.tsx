/** How an import is, in a word. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/imports.ts";
import { Badge } from "../../ui/badge.tsx";

const tones = {
  queued: "info",
  running: "info",
  paused: "warn",
  done: "good",
  failed: "bad",
  cancelled: "plain",
} as const;

export function ImportState({ state }: Pick<Schemas["Import"], "state">) {
  return <Badge tone={tones[state]}>{text.states[state]}</Badge>;
}
