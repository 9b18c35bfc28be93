/** Whether pages offer to change files: the server decides anyway. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export function canWrite({ permissions, archived }: Schemas["Repository"]): boolean {
  return !archived && permissions !== "read" && permissions !== "triage";
}
