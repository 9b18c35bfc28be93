/** The tabs of a repository. One stands here once its pages are complete. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repositories.ts";
import type { TabLink } from "../../ui/tabs.tsx";

export function repositoryTabs({ full_name, permissions }: Schemas["Repository"]): TabLink[] {
  const below = (...pages: string[]) => pages.map((page) => `/${full_name}/${page}`);
  return [
    {
      to: `/${full_name}`,
      label: text.code,
      exact: true,
      also: below("tree", "blob", "blame", "edit", "new"),
    },
    { to: `/${full_name}/issues`, label: text.issues, also: below("boards", "labels", "milestones") },
    { to: `/${full_name}/merge-requests`, label: text.mergeRequests },
    { to: `/${full_name}/pipelines`, label: text.pipelines, also: below("environments", "caches") },
    { to: `/${full_name}/commits`, label: text.commits, also: below("commit") },
    { to: `/${full_name}/branches`, label: text.branches, also: below("compare") },
    { to: `/${full_name}/tags`, label: text.tags },
    { to: `/${full_name}/statistics`, label: text.statistics },
    ...settingsTab({ full_name, permissions }),
  ];
}

/** Who may write finds the settings that writing is enough for. */
function settingsTab({
  full_name,
  permissions,
}: Pick<Schemas["Repository"], "full_name" | "permissions">): TabLink[] {
  const to = `/${full_name}/settings`;
  if (permissions === "admin") return [{ to, label: text.settings }];
  const mayWrite = permissions === "write" || permissions === "maintain";
  return mayWrite ? [{ to: `${to}/secrets`, label: text.settings, also: [to] }] : [];
}
