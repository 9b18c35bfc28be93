/** Where notifications of a team go, as the REST interface shows it, and its news as deliveries of webhooks show them. */
import type { TeamRouting } from "@forgeline/schemas/team-routing/resource.ts";
import type { Weekday } from "@forgeline/schemas/notifications/settings.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress, type RepositorySnapshot } from "../../hosting/domain.ts";
import type { RoutingRow } from "./routings.store.ts";

/** Of a team that chose nothing. */
export const usual: TeamRouting = {
  rules: [],
  address: null,
  digest: "immediately",
  digest_at: "08:00",
  time_zone: "UTC",
  quiet_hours: null,
  updated_at: null,
};

/** `names`: by id, of the repositories that may be shown. A rule for others alone is left out: without them it would fit everything. */
export function presentTeamRouting(row: RoutingRow, names: ReadonlyMap<string, string>): TeamRouting {
  const rules = row.rules.map(({ repository_ids: ids, ...rule }) => ({
    ...rule,
    repositories: ids && ids.flatMap((id) => names.get(id) ?? []),
  }));
  const { quiet_from: from, quiet_to: to, quiet_days: days } = row;
  return {
    rules: rules.filter(({ repositories }) => repositories?.length !== 0),
    address: row.address === null ? null : { email: row.address, state: row.address_state },
    digest: row.digest,
    digest_at: row.digest_at,
    time_zone: row.time_zone,
    quiet_hours: from === null || to === null ? null : { from, to, days: days as Weekday[] },
    updated_at: row.updated_at.toISOString(),
  };
}

/** As it is recorded. */
export interface TeamNewsSubject {
  team: { id: string; full_name: string };
  on: { kind: "issue" | "merge_request"; number: number; title: string };
}

export function presentEventTeamNews(
  { team, on }: TeamNewsSubject,
  repository: RepositorySnapshot,
  addresses: Addresses,
) {
  const { id, full_name: fullName } = team;
  const slash = fullName.indexOf("/");
  const path = `orgs/${fullName.slice(0, slash)}/teams/${fullName.slice(slash + 1)}`;
  const address = repositoryAddress(addresses, repository);
  const place = [on.kind === "issue" ? "issues" : "merge-requests", String(on.number)] as const;
  const { kind: type, number, title } = on;
  return {
    team: {
      id,
      full_name: fullName,
      url: `${addresses.baseUrl}/${path}`,
      web_url: `${addresses.webUrl}/${path}`,
    },
    on: { type, number, title, url: address.api(...place), web_url: address.web(...place) },
  };
}
