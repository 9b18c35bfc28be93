/** `forgeline team`: teams, who is in them, and what they may do. A team is `ORG/TEAM`, a nested one `ORG/PARENT/CHILD`. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addDiscussionCommands } from "../discussions/index.ts";
import { addTeamRoutingCommands } from "../team-routing/index.ts";
import { addTeamMemberCommands } from "./members.ts";
import { addTeamRepositoryCommands } from "./repositories.ts";
import { addTeamSettingsCommands } from "./settings.ts";

export function teamCommand(): Command {
  const team = new Command("team").description(
    "Teams of organizations, their members and their repositories; a nested team is ORG/PARENT/CHILD",
  );
  addTeamSettingsCommands(team);
  addTeamMemberCommands(team);
  addTeamRepositoryCommands(team);
  addDiscussionCommands(team);
  addTeamRoutingCommands(team);
  addExamples(team, [
    "forgeline team create acme/backend",
    "forgeline team create acme/backend/database --secret",
    "forgeline team set-member acme/backend ben --role maintainer",
    "forgeline team set-member acme/backend acme/deployer      # a bot",
    "forgeline team grant acme/backend api --permission write",
  ]);
  return team;
}
