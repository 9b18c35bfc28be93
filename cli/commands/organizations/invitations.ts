/** `forgeline org invite|invitations|uninvite|accept|decline`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { roleOption } from "./organization-members.ts";

export function addInvitationCommands(org: Command): void {
  org
    .command("invite <org> <username>")
    .description("Invite an existing user; the invitation is valid for 7 days")
    .addOption(roleOption("role of the member").default("member"))
    .action(invite);
  org
    .command("invitations [org]")
    .description("List open invitations: yours, or those of an organization")
    .action(list);
  org.command("uninvite <org> <id>").description("Revoke an invitation").action(revoke);
  org.command("accept <id>").description("Accept an invitation").action(accept);
  org.command("decline <id>").description("Decline an invitation").action(decline);
}

async function invite(
  org: string,
  username: string,
  options: { role?: "owner" | "member" },
  command: Command,
): Promise<void> {
  const { api, print } = await contextOf(command);
  const body = { username, ...omitUndefined({ role: options.role }) };
  const invitation = await valueOf(api.POST("/orgs/{org}/invitations", { params: { path: { org } }, body }));
  print(
    invitation,
    () =>
      `invited ${invitation.username} to ${org} as ${invitation.role}; open until ${invitation.expires_at}`,
  );
}

async function list(org: string | undefined, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const invitations = await everyPage((query) =>
    org === undefined
      ? api.GET("/user/invitations", { params: { query } })
      : api.GET("/orgs/{org}/invitations", { params: { path: { org }, query } }),
  );
  const rows = invitations.map((i) => [
    i.id,
    i.organization,
    i.username,
    i.role,
    i.invited_by ?? "",
    i.expires_at,
  ]);
  print(invitations, () =>
    renderList("invitations", ["ID", "ORGANIZATION", "USER", "ROLE", "INVITED BY", "OPEN UNTIL"], rows),
  );
}

async function revoke(org: string, id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/invitations/{id}", { params: { path: { org, id } } }));
  print({ id, revoked: true }, () => `revoked ${id}`);
}

async function accept(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const organization = await valueOf(api.POST("/user/invitations/{id}/accept", { params: { path: { id } } }));
  print(organization, () => `you are in ${organization.name} now`);
}

async function decline(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/user/invitations/{id}", { params: { path: { id } } }));
  print({ id, declined: true }, () => `declined ${id}`);
}
