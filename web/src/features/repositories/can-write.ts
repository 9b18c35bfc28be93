/** Whether pages offer to change files: the server decides anyway. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export function canWrite({ permissions, archived, mirror }: Schemas["Repository"]): boolean {
  return !archived && !mirror && permissions !== "read" && permissions !== "triage";
}
