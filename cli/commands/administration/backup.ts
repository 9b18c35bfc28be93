/**
 * `forgeline admin backup|restore`: hands over to the launcher's programs. They need the files of the instance, so they
 * work on its machine only, with no token: whoever may read the home may do all that they do.
 */
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { runProgram } from "../../run-program.ts";

export function backupCommand(): Command {
  return onThisMachine(
    "backup",
    "Back up the instance that runs on this machine; docs/operations/backup.md",
  ).usage("[--home DIR] [--previous BACKUP] [--rate MIB] PLACE");
}

export function restoreCommand(): Command {
  return onThisMachine("restore", "Restore a backup into an empty home; docs/operations/backup.md").usage(
    "[--home DIR] [--key FILE] BACKUP",
  );
}

function onThisMachine(name: "backup" | "restore", description: string): Command {
  return new Command(name)
    .description(description)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument("[arguments...]")
    .action(async (args: string[]) => {
      const program = fileURLToPath(new URL(`../../../launcher/${name}.ts`, import.meta.url));
      await access(program).catch(() => {
        throw new UsageError(
          `forgeline admin ${name} works on the machine of the instance, in Forgeline's checkout`,
        );
      });
      process.exitCode = await runProgram(process.execPath, [...process.execArgv, program, ...args]);
    });
}
