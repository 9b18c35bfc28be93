/** The teams of an organization as a tree. */
import { Users } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { NewTeam } from "./team-forms.tsx";
import styles from "./teams-page.module.css";
import { useOrganization } from "./use-organization.ts";
import { teamPath, useTeams } from "./use-teams.ts";

export function TeamsPage() {
  const { org, role } = useOrganization();
  const teams = useTeams(org);
  return (
    <Page
      title={text.teams}
      within={org}
      lead={text.teamsLead}
      actions={role === "owner" ? <NewTeam parent={null} /> : null}
    >
      <QueryView query={teams}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={text.noTeams}>{text.noTeamsHint}</EmptyState>
          ) : (
            <TeamTree teams={all} parent={null} />
          )
        }
      </QueryView>
    </Page>
  );
}

/** What is nested in `parent`. A team whose parent the viewer does not see stands with the others at the top. */
export function TeamTree({ teams, parent }: { teams: readonly Schemas["Team"][]; parent: string | null }) {
  const { org } = useOrganization();
  const paths = new Set(teams.map(teamPath));
  const inside = teams.filter((team) =>
    parent === null ? team.parent === null || !paths.has(team.parent) : team.parent === parent,
  );
  if (inside.length === 0) return null;
  return (
    <ul className={styles.tree}>
      {inside.map((team) => {
        const path = teamPath(team);
        return (
          <li key={team.id}>
            <div className={styles.team}>
              <Users size={15} aria-hidden />
              <Link to={`/orgs/${org}/teams/${path}`}>{team.name}</Link>
              {team.visibility === "secret" ? <Badge tone="warn">{text.secret}</Badge> : null}
              <span className={styles.description}>{team.description}</span>
            </div>
            <TeamTree teams={teams} parent={path} />
          </li>
        );
      })}
    </ul>
  );
}
