/** The tabs of a repository. One stands here once its pages are complete. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { TabLink } from "../../ui/tabs.tsx";

export function repositoryTabs(_repository: Schemas["Repository"]): TabLink[] {
  return [];
}
