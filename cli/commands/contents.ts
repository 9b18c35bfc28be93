/** `forgeline file`: files of a repository as they are on the server, without a clone. */
import { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { openStream } from "../connection/stream.ts";
import { contextOf, type CliContext } from "../context.ts";
import { omitUndefined } from "../options/omit-undefined.ts";
import { addExamples } from "../output/examples.ts";
import { printStream } from "../output/print-stream.ts";
import { renderList } from "../output/table.ts";

interface RefOption {
  ref?: string;
}

const refFlag = ["--ref <ref>", "branch, tag or full commit id (default: the default branch)"] as const;

export function fileCommand(): Command {
  const file = new Command("file").description("Files on the server, without a clone");
  file
    .command("list [path]")
    .description("List a directory, the root by default")
    .option(...refFlag)
    .action(list);
  file
    .command("show <path>")
    .description("Print a file as it is")
    .option(...refFlag)
    .action(show);
  addExamples(file, [
    "forgeline file list src -R acme/api",
    "forgeline file show logo.png -R acme/api --ref v1.0 > logo.png",
  ]);
  return file;
}

async function list(path: string | undefined, options: RefOption, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const query = omitUndefined({ ref: options.ref });
  const where = await repository();
  const found =
    path === undefined
      ? await valueOf(api.GET("/repos/{owner}/{repo}/contents", { params: { path: where, query } }))
      : await valueOf(
          api.GET("/repos/{owner}/{repo}/contents/{path}", { params: { path: { ...where, path }, query } }),
        );
  const entries = Array.isArray(found) ? found : [found];
  const rows = entries.map((e) => [e.type, e.type === "file" ? String(e.size) : "", e.path]);
  print(found, () => renderList("files", ["TYPE", "BYTES", "PATH"], rows));
}

async function show(path: string, options: RefOption, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { owner, repo } = await context.repository();
  const ref = options.ref ?? (await defaultBranch(context, { owner, repo }));
  const address = ["repos", owner, repo, "raw", ref, path].map(encodeURIComponent).join("/");
  const absent = `${owner}/${repo} has no file ${path} in ${ref}, or you may not see it`;
  await printStream(await openStream(context.connection, { path: `/${address}`, accept: "*/*" }, absent));
}

async function defaultBranch({ api }: CliContext, path: { owner: string; repo: string }): Promise<string> {
  return (await valueOf(api.GET("/repos/{owner}/{repo}", { params: { path } }))).default_branch;
}
