/** `forgeline admin`: what administrators of the instance do. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addUserCommands } from "./users.ts";
import { announcementCommand } from "./announcements.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { addIdTokenKeyCommands } from "./id-token-keys.ts";
import { addInstanceCommands } from "./instance.ts";
import { addKeyCommands } from "./keys.ts";
import { lfsQuotaCommand } from "./lfs-quota.ts";
import { limitsCommand } from "./limits.ts";
import { adminMaintenanceCommand } from "./maintenance.ts";
import { pipelineLimitsCommand } from "./pipeline-limits.ts";
import { addPlanCommands } from "./plans.ts";
import { privilegedCommand } from "./privileges.ts";
import { storageCommand } from "./storage.ts";
import { upkeepScheduleCommand } from "./upkeep-schedules.ts";
import { workCommand } from "./background-work.ts";

export function adminCommand(): Command {
  const admin = new Command("admin").description("Administer the instance");
  addUserCommands(admin);
  addPlanCommands(admin);
  admin.addCommand(limitsCommand());
  admin.addCommand(pipelineLimitsCommand());
  admin.addCommand(lfsQuotaCommand());
  admin.addCommand(announcementCommand());
  admin.addCommand(privilegedCommand());
  admin.addCommand(storageCommand());
  admin.addCommand(adminMaintenanceCommand());
  admin.addCommand(workCommand());
  admin.addCommand(upkeepScheduleCommand());
  addKeyCommands(admin);
  addIdTokenKeyCommands(admin);
  admin.addCommand(backupCommand());
  admin.addCommand(restoreCommand());
  addInstanceCommands(admin);
  addExamples(admin, [
    "forgeline admin users ada",
    "forgeline admin plan acme enterprise",
    'forgeline admin announcement create "Down for repairs on Sunday" --level warning --until 2026-12-01T12:00:00Z',
    "forgeline admin sign-up open",
    "forgeline admin work list --state unsuccessful",
    "forgeline admin rotate-key",
    "forgeline admin backup /backups/forgeline-2026-11-21 --previous /backups/forgeline-2026-11-20",
  ]);
  return admin;
}
