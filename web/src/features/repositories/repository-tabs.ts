/** The tabs of a repository. One stands here once its pages are complete. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repositories.ts";
import type { TabLink } from "../../ui/tabs.tsx";

export function repositoryTabs({ full_name, permissions }: Schemas["Repository"]): TabLink[] {
  return [
    { to: `/${full_name}`, label: text.code, exact: true },
    { to: `/${full_name}/pipelines`, label: text.pipelines },
    { to: `/${full_name}/commits`, label: text.commits },
    { to: `/${full_name}/branches`, label: text.branches },
    { to: `/${full_name}/tags`, label: text.tags },
    { to: `/${full_name}/insights`, label: text.insights },
    ...(permissions === "admin" ? [{ to: `/${full_name}/settings`, label: text.settings }] : []),
  ];
}
