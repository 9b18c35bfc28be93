/** `forgeline audit`: the audit log of an organization. */
import { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { contextOf } from "../context.ts";
import { renderTable } from "../output/table.ts";

interface Filters {
  actor?: string;
  action?: string;
  target?: string;
  since?: string;
  until?: string;
  search?: string;
  page: number;
}

export function auditCommand(): Command {
  const audit = new Command("audit").description("Audit log of an organization");
  audit
    .command("list <org>")
    .description("Entries, newest first")
    .option("--actor <name>", "only of this user")
    .option("--action <kind>", "only of this kind, or of a category: repo.*")
    .option("--target <target>", "only about repo:<org>/<repo> or team:<org>/<team>")
    .option("--since <time>", "from this day or time on")
    .option("--until <time>", "up to this day or time")
    .option("--search <text>", "only with this text")
    .option("--page <number>", "page, 100 entries each", Number, 1)
    .action(async (org: string, { search, ...filters }: Filters, command: Command) => {
      const { api, print } = await contextOf(command);
      const query = { ...filters, per_page: 100, ...(search === undefined ? {} : { q: search }) };
      const entries = await valueOf(api.GET("/orgs/{org}/audit-log", { params: { path: { org }, query } }));
      const row = (entry: (typeof entries)[number]) => [
        entry.timestamp,
        entry.actor.username,
        entry.action,
        `${entry.target.type} ${entry.target.name}`,
        entry.actor.ip_address ?? "",
      ];
      print(entries, () => renderTable(["TIME", "ACTOR", "ACTION", "TARGET", "ADDRESS"], entries.map(row)));
    });
  audit
    .command("verify <org>")
    .description("Prove that nothing in it was changed, added or taken away")
    .action(async (org: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const result = await valueOf(api.GET("/orgs/{org}/audit-log/verify", { params: { path: { org } } }));
      const head = result.head === null ? "" : `, head ${result.head.seq} ${result.head.hash}`;
      print(result, () =>
        result.problem === null
          ? `valid: ${result.entries} entries${head}`
          : `NOT VALID: ${result.problem.message}`,
      );
      if (!result.valid) process.exitCode = 1;
    });
  return audit;
}
