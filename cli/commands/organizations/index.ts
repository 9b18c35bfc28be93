/** `forgeline org`: organizations, their members, invitations and single sign-on. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addInvitationCommands } from "./invitations.ts";
import { addMemberCommands } from "./organization-members.ts";
import { addSettingsCommands } from "./settings.ts";
import { ssoCommand } from "./sso.ts";

export function orgCommand(): Command {
  const org = new Command("org").description("Organizations, their members and invitations");
  addSettingsCommands(org);
  addMemberCommands(org);
  addInvitationCommands(org);
  org.addCommand(ssoCommand());
  addExamples(org, [
    'forgeline org create acme --display-name "Acme Inc."',
    "forgeline org invite acme ben",
    "forgeline org set-member acme ben --role owner",
    "forgeline org members acme --role owner",
  ]);
  return org;
}
