/** News of a team as deliveries of webhooks show them. */
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress, type RepositorySnapshot } from "../../hosting/domain.ts";

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
