/** `forgeline runner register|start`: hands over to the runner's own program, which needs none of ours. */
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";
import { runProgram } from "../../run-program.ts";

export function registerCommand(): Command {
  return passThrough("register", "Register this machine as a runner (see forgeline-runner register --help)");
}

export function startCommand(): Command {
  return passThrough(
    "start",
    "Start the registered runner in the foreground (see forgeline-runner start --help)",
  );
}

function passThrough(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .argument("[arguments...]")
    .action(async (args: string[]) => {
      const [program, ...first] = await runnerProgram();
      process.exitCode = await runProgram(program ?? "", [...first, verb, ...args]).catch(explain);
    });
}

/** In a checkout the runner's source; elsewhere the installed `forgeline-runner`. */
async function runnerProgram(): Promise<string[]> {
  const source = fileURLToPath(new URL("../../../runner/main.ts", import.meta.url));
  const isCheckout = await access(source).then(
    () => true,
    () => false,
  );
  return isCheckout ? [process.execPath, source] : ["forgeline-runner"];
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code !== "ENOENT") throw error;
  throw new UsageError("forgeline-runner is not installed; see /downloads/ of your server");
}
