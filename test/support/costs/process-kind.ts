/** What a started process is, for the table of costs: our own programs by name, all others by their file's. */
import { basename } from "node:path";

const ownPrograms: Readonly<Record<string, string>> = {
  "server/main.ts": "our server",
  "workflows/worker/main.ts": "our worker",
  "runner/main.ts": "our runner",
  "cli/main.ts": "our command line",
  "programs/server.mjs": "our server",
  "programs/worker.mjs": "our worker",
  "programs/runner.mjs": "our runner",
  "programs/cli.mjs": "our command line",
  "scripts/bootstrap.mjs": "our launcher",
};
/** Programs that only start another one. */
const wrappers = new Set(["env", "script", "setpriv", "faketime", "unshare", "ip", "nice"]);

export function processKind(file: string, args: readonly string[] = []): string {
  const name = basename(file);
  const text = args.join(" ");
  const own = Object.keys(ownPrograms).find((path) => text.includes(path));
  if (own !== undefined && (name === "node" || wrappers.has(name))) return ownPrograms[own] ?? own;
  return name.startsWith("node") ? "node" : name;
}
