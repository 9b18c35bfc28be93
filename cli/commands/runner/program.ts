/** `forgeline runner register|start`: hands over to the runner's own program, which needs none of ours. */
import { spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { UsageError } from "../../connection/settings.ts";

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
      process.exitCode = await runToEnd(program ?? "", [...first, verb, ...args]);
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

function runToEnd(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit" });
    // The runner decides what a signal means; we only pass on those that reach us alone.
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
      });
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ENOENT"
          ? new UsageError("forgeline-runner is not installed; see /downloads/ of your server")
          : error,
      ),
    );
    child.once("exit", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
