/** The last lines of a start: where things are and what to try next. */
import type { ConnectionFile } from "./connection-file.ts";
import type { Console } from "./console.ts";
import type { HomePaths } from "./home.ts";

/** `ending` is what stops the instance: a key or a command. */
export function printSummary(
  console: Console,
  { paths, connection, ending = "Ctrl-C" }: { paths: HomePaths; connection: ConnectionFile; ending?: string },
): void {
  const rows: [string, string][] = [
    ["In a browser", connection.web_url],
    ["API", connection.base_url],
    ["Docs", connection.docs_url],
    ["Git over SSH", `${connection.git_ssh_url}/OWNER/REPO.git`],
    ["Signed in as", `${connection.admin.username} (password and token in ${paths.connectionFile})`],
    ["Certificates", `${connection.ca_file}; "npx forgeline trust" makes browsers and Git accept them`],
    ["Metrics", `${connection.metrics_url}, of the worker: ${connection.worker_metrics_url}`],
    ["Logs", paths.logs],
  ];
  console.blank();
  for (const [name, value] of rows) console.raw(`  ${console.bold(name.padEnd(13))} ${value}\n`);
  console.raw(`
  Next:
    npx forgeline pipeline list --repo ${connection.admin.username}/hello
    npx forgeline repo create my-project      then push your own code with a .forgeline.yml
    npx forgeline runner add                  prints the command to run on another machine

  ${ending} stops everything; all data is kept for the next start.
`);
}
