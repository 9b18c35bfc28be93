/** Links between the pages of a team. */
import { text } from "../../text/discussions.ts";
import { TabLinks } from "../../ui/tabs.tsx";

/** `team`: its path, `parent/child`. */
export function TeamTabs({ org, team }: { org: string; team: string }) {
  const base = `/orgs/${org}/teams/${team}`;
  return (
    <TabLinks
      label={text.parts}
      links={[
        { to: base, label: text.overview, exact: true },
        { to: `${base}/discussions`, label: text.title },
      ]}
    />
  );
}
