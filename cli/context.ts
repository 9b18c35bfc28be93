/** What every command gets: global flags, the connection, the repository meant, and the way to print. */
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { apiFor } from "./connection/api.ts";
import { findRepository, type RepositoryName } from "./connection/repository.ts";
import { findConnection, type Connection } from "./connection/settings.ts";

export interface GlobalFlags {
  url?: string;
  token?: string;
  caFile?: string;
  repo?: string[];
  json?: boolean;
}

export interface CliContext {
  flags: GlobalFlags;
  connection: Connection;
  api: ForgelineClient;
  /** Throws when neither `--repo` nor a remote of this checkout says which. */
  repository(): Promise<RepositoryName>;
  /** Prints `value` as JSON with `--json`, else the text that `render` makes of it, which may be none. */
  print(value: unknown, render: () => string): void;
}

export async function contextOf(command: Command): Promise<CliContext> {
  const flags = command.optsWithGlobals<GlobalFlags>();
  const connection = await findConnection(flags);
  return {
    flags,
    connection,
    api: apiFor(connection),
    repository: () => findRepository(flags.repo?.at(-1), connection.url),
    print(value, render) {
      const text = flags.json ? JSON.stringify(value, null, 2) : render();
      if (text !== "") process.stdout.write(`${text}\n`);
    },
  };
}
