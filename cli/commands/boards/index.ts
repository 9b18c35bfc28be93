/** `forgeline board list|view|limit`: issues in columns by label. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "../labels/same-text.ts";

type Board = Schemas["Board"];
type Column = Schemas["BoardColumn"];

export function boardCommand(): Command {
  const board = new Command("board").description("Boards: issues in columns by label");
  board.command("list").description("List the boards of a repository").action(list);
  board
    .command("view <name>")
    .description("Show the columns of a board with their issues")
    .option("--search <query>", "only issues that this query finds, as in `issue list --search`")
    .option("-n, --limit <n>", "how many in each column, at most 100", parseCount, 10)
    .action(view);
  board
    .command("limit <name> <column>")
    .description("Set how many issues are wanted in a column at most")
    .option("--max <n>", "above it the board warns; issues can still be moved there", parseCount)
    .option("--no-max", "any number of issues")
    .action(limitColumn);
  addExamples(board, [
    "forgeline board list",
    "forgeline board view 'Release 2.0' --search assignee:me",
    "forgeline board limit 'Release 2.0' doing --max 3",
  ]);
  return board;
}

/** As the board has it: against the limit, which counts all issues of the column. */
const countOf = ({ max_issues: most }: Column, total: number, search: string | undefined) =>
  most === null || search ? String(total) : `${total}/${most}${total > most ? ", above its limit" : ""}`;
const nameOf = ({ kind, label }: Column) => label?.name ?? (kind === "open" ? "Open" : "Closed");

async function boardsOf({ api }: CliContext, path: { owner: string; repo: string }): Promise<Board[]> {
  return everyPage((page) => api.GET("/repos/{owner}/{repo}/boards", { params: { path, query: page } }));
}

async function list(_options: unknown, command: Command): Promise<void> {
  const context = await contextOf(command);
  const found = await boardsOf(context, await context.repository());
  context.print(found, () =>
    renderList(
      "boards",
      ["NAME", "COLUMNS", "FILTER"],
      found.map((each) => [each.name, each.columns.map(nameOf).join(", "), each.filter]),
    ),
  );
}

interface ViewOptions {
  search?: string;
  limit: number;
}

async function findBoard(
  context: CliContext,
  path: { owner: string; repo: string },
  name: string,
): Promise<Board> {
  const board = sameText(await boardsOf(context, path), name, (each) => each.name);
  if (!board) throw new UsageError(`there is no board ${name}: \`forgeline board list\` shows all`);
  return board;
}

async function limitColumn(
  name: string,
  column: string,
  { max }: { max?: number | false },
  command: Command,
): Promise<void> {
  if (max === undefined) throw new UsageError("say --max N, or --no-max");
  const context = await contextOf(command);
  const path = await context.repository();
  const { id } = await findBoard(context, path, name);
  const changed = await valueOf(
    context.api.PATCH("/repos/{owner}/{repo}/boards/{id}", {
      params: { path: { ...path, id } },
      body: { limits: [{ column, max_issues: max === false ? null : max }] },
    }),
  );
  context.print(changed, () =>
    terminalSafe(max === false ? `${column} has no limit` : `${column}: at most ${max} issues`),
  );
}

async function view(name: string, { search, limit }: ViewOptions, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await context.repository();
  const board = await findBoard(context, path, name);
  const query = omitUndefined({ q: search, per_page: limit });
  const columns: { column: Column; total: number; issues: Schemas["Issue"][] }[] = [];
  for (const column of board.columns) {
    const params = { path: { ...path, id: board.id, column: column.id }, query };
    const answer = await context.api.GET("/repos/{owner}/{repo}/boards/{id}/columns/{column}/issues", {
      params,
    });
    columns.push({
      column,
      total: Number(answer.response.headers.get("X-Total-Count")),
      issues: await valueOf(Promise.resolve(answer)),
    });
  }
  context.print({ board, columns }, () =>
    columns
      .map(({ column, total, issues }) => {
        const lines = issues.map(({ number, title }) => `  #${number} ${title}`);
        return (
          terminalSafe(`${nameOf(column)} (${countOf(column, total, search)})`) +
          lines.map((line) => `\n${terminalSafe(line)}`).join("")
        );
      })
      .join("\n\n"),
  );
}
