/** Where notifications of a team go. */
import {
  createAddressTokens,
  type Ask,
} from "@forgeline/server/domains/collaboration/team-routing/address-tokens.ts";
import type { Driver } from "./driver.ts";

export async function changeTeamRouting(
  { change, beside, server }: Driver,
  { by, path }: { by: string; path: { org: string; team: string } },
): Promise<void> {
  const address = "core@example.org";
  await change("setTeamRouting", { by, path, body: { rules: [{ to: "address" }], address } });
  const team = await server.api("GET", `/orgs/${path.org}/teams/${path.team}`, { token: by });
  const teamId = String(team.json["id"]);
  const tokens = createAddressTokens(server.container.platform.instanceKeys.signer("notification_mail"));
  const [row] = await server.container.platform.db.query(
    "select asked_since, asked_count from team_routings where team_id = $1",
    [teamId],
  );
  const ask = row as unknown as Ask;
  const follow = (purpose: "confirm" | "end") => () =>
    server.api(
      "POST",
      `//-/team-address/${tokens.make({ purpose, teamId, address, ...(purpose === "confirm" ? { ask } : {}) })}`,
    );
  await beside("org.team_address_confirm", follow("confirm"));
  await beside("org.team_address_end", follow("end"));
}
