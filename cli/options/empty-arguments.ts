/** Arguments that are empty: mostly a variable of a script that has no value. */
import type { Command } from "commander";
import { UsageError } from "../connection/settings.ts";

/** Throws `UsageError`. As part of an address of the API, an empty argument would ask for something else than is meant. */
export function refuseEmptyArguments(command: Command): void {
  const at = command.args.indexOf("");
  if (at === -1) return;
  const argument = command.registeredArguments.at(at) ?? command.registeredArguments.at(-1);
  throw new UsageError(`<${argument?.name() ?? "argument"}> must not be empty`);
}
