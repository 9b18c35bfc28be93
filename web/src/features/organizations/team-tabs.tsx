/** Links between the pages of a team. */
import { text } from "../../text/discussions.ts";
import { text as routing } from "../../text/team-routing.ts";
import { TabLinks } from "../../ui/tabs.tsx";
import { useMayWrite } from "../discussions/use-may-write.ts";

/** `team`: its path, `parent/child`. */
export function TeamTabs({ org, team }: { org: string; team: string }) {
  const belongs = useMayWrite({ org, team });
  const base = `/orgs/${org}/teams/${team}`;
  return (
    <TabLinks
      label={text.parts}
      links={[
        { to: base, label: text.overview, exact: true },
        { to: `${base}/discussions`, label: text.title },
        // For those who belong to it alone.
        ...(belongs ? [{ to: `${base}/routing`, label: routing.title }] : []),
      ]}
    />
  );
}
