/** A warning where a runner executes jobs without containers. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/runners.ts";
import { Notice } from "../../ui/notice.tsx";

export function WithoutIsolationNotice({ executor }: { executor: Schemas["Runner"]["executor"] }) {
  if (executor === "docker") return null;
  return (
    <Notice tone="warn" title={text.withoutIsolationTitle}>
      {text.withoutIsolation}
    </Notice>
  );
}
