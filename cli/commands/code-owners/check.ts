/** `forgeline codeowners check`: what is wrong with a CODEOWNERS file, of this machine or of a commit. */
import { access } from "node:fs/promises";
import { join, relative } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Command } from "commander";
import { codeOwnersPlaces } from "@forgeline/compiler/code-owners/file.ts";
import { parseCodeOwners } from "@forgeline/compiler/code-owners/parse.ts";
import { withSource } from "@forgeline/compiler/code-owners/with-source.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { rootOf } from "../../checkout/compile-checkout.ts";
import { standardInput } from "../../checkout/named-files.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type GlobalFlags } from "../../context.ts";
import { readText } from "../../options/read-file.ts";
import { renderCheck, type CheckedFile } from "./render-check.ts";

type Check = Schemas["CodeOwnersCheck"];

export function checkCommand(): Command {
  return new Command("check")
    .description("Check a CODEOWNERS file; exit status 1 when it has errors")
    .argument("[file]", "a file, or - for standard input (default: that of this checkout)")
    .option("--ref <ref>", "the file that is on the server at this branch, tag or full commit id")
    .action(async (named: string | undefined, { ref }: { ref?: string }, command: Command) => {
      if (ref !== undefined && named !== undefined)
        throw new UsageError("name a file of this machine or --ref, not both");
      const checked = ref === undefined ? await checkHere(named, command) : await checkThere(ref, command);
      const { json } = command.optsWithGlobals<GlobalFlags>();
      process.stdout.write(`${json ? JSON.stringify(checked, null, 2) : renderCheck(checked)}\n`);
      process.exitCode = checked.total > 0 ? 1 : 0;
    });
}

async function checkThere(ref: string, command: Command): Promise<CheckedFile> {
  const { api, repository } = await contextOf(command);
  const path = await repository();
  const answer = api.GET("/repos/{owner}/{repo}/codeowners/errors", { params: { path, query: { ref } } });
  const absent = `${path.owner}/${path.repo} has no CODEOWNERS file at ${ref}, or you may not see it`;
  const { path: file, total, errors } = await valueOf(answer, absent);
  return { path: file, total, errors, unchecked: null };
}

async function checkHere(named: string | undefined, command: Command): Promise<CheckedFile> {
  const file = named ?? (await fileOfCheckout());
  const isInput = file === standardInput;
  const content = isInput ? await textOf(process.stdin) : await readText(file);
  const path = isInput ? "<stdin>" : file;
  try {
    return { path, ...(await askServer(content, command)), unchecked: null };
  } catch (error) {
    // Whoever names a repository wants its owners looked up; elsewhere there may be none.
    if ((command.optsWithGlobals<GlobalFlags>().repo?.length ?? 0) > 0) throw error;
    const { errors, errorCount } = parseCodeOwners(content);
    const unchecked = (error as Error).message;
    return { path, total: errorCount, errors: withSource(errors, content), unchecked };
  }
}

async function askServer(content: string, command: Command): Promise<Check> {
  const { api, repository } = await contextOf(command);
  const path = await repository();
  return valueOf(api.POST("/repos/{owner}/{repo}/codeowners/check", { params: { path }, body: { content } }));
}

/** The first of those that may count. Throws `UsageError` where there is none. */
async function fileOfCheckout(): Promise<string> {
  const root = await rootOf(process.cwd());
  for (const place of codeOwnersPlaces) {
    const path = join(root, place);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return relative(process.cwd(), path);
  }
  throw new UsageError(
    `there is no CODEOWNERS file here: name one, or create ${codeOwnersPlaces.join(", ")}`,
  );
}
