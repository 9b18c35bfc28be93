/** What jobs of a runner may reach, and a warning where that is more than was wanted. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runners.ts";
import { Notice } from "../../ui/notice.tsx";

type Egress = Schemas["RunnerEgress"];

export function RunnerEgress({ egress: { state, allow } }: { egress: Egress }) {
  return (
    <>
      {text.egress[state]}
      {allow.length === 0 ? null : ` ${text.egressAllowed(allow)}`}
    </>
  );
}

export function UnfilteredNotice({ egress: { state, reason } }: { egress: Egress }) {
  if (state !== "unfiltered") return null;
  return (
    <Notice tone="warn" title={text.unfilteredTitle}>
      {text.unfiltered(reason ?? "")}
    </Notice>
  );
}
