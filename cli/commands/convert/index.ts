/** `forgeline convert`: pipeline files of other systems as ours, without any server. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Command, Option } from "commander";
import { sourceSystems, systemTitles, type SourceSystem } from "@forgeline/compiler/convert/systems.ts";
import { renderDiagnostic } from "@forgeline/compiler/render-diagnostic.ts";
import { docsAddress } from "../../connection/docs-address.ts";
import { UsageError } from "../../connection/settings.ts";
import type { GlobalFlags } from "../../context.ts";
import { errorColors } from "../../output/colors.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { loadConverter, type ConvertedFile } from "./load.ts";

interface ConvertFlags {
  from?: SourceSystem;
  output?: string;
  write?: boolean;
  force?: boolean;
}

export function convertCommand(): Command {
  return new Command("convert")
    .description(
      "Make pipeline files of GitHub Actions, GitLab, Woodpecker or Bitbucket ours, offline; exit status 1 when a file cannot be read",
    )
    .argument("[files...]", "the files (default: those of other systems in this directory)")
    .addOption(
      new Option("--from <system>", "whose files they are, where their names do not tell").choices([
        ...sourceSystems,
      ]),
    )
    .option("-o, --output <path>", "write to this file; of several files, into this directory")
    .option("--write", "write .forgeline.yml; of several files, .forgeline/NAME.yml")
    .option("--force", "replace files that are there")
    .action(async (named: string[], flags: ConvertFlags, command: Command) => {
      await convertNamed(named, flags, command.optsWithGlobals<GlobalFlags>());
    });
}

async function convertNamed(
  named: readonly string[],
  flags: ConvertFlags,
  global: GlobalFlags,
): Promise<void> {
  const { convertFiles, findSources } = await loadConverter();
  const directory = process.cwd();
  const sources = named.length > 0 ? [...new Set(named)] : await findSources(directory);
  if (sources.length === 0)
    throw new UsageError(
      "found no pipeline file of GitHub Actions, GitLab, Woodpecker or Bitbucket here; name the file",
    );
  const files = await convertFiles({
    directory,
    sources,
    from: flags.from ?? null,
    output: flags.output ?? null,
  });
  if ("problem" in files) throw new UsageError(files.problem);
  const writes = flags.write === true || flags.output !== undefined;
  if (writes) await writeAll(files, flags);
  await show(files, { writes, global });
  const isWrong = files.some(
    ({ text, diagnostics }) => text === null || diagnostics.some(({ severity }) => severity === "error"),
  );
  process.exitCode = isWrong ? 1 : 0;
}

/** All of them or none: whether they may be written is found out first. */
async function writeAll(files: readonly ConvertedFile[], { force, output }: ConvertFlags): Promise<void> {
  const made = files.filter(({ text }) => text !== null);
  if (output === undefined) await refuseBothPlaces(made);
  for (const { path } of made)
    if (!force && (await exists(path)))
      throw new UsageError(`${path} is there already; replace it with --force`);
  for (const { path, text } of made) {
    await mkdir(dirname(path), { recursive: true }).catch((error: Error) => cannotWrite(path, error));
    await writeFile(path, text ?? "").catch((error: Error) => cannotWrite(path, error));
  }
}

/** A repository with both would have no pipeline at all. */
async function refuseBothPlaces(files: readonly ConvertedFile[]): Promise<void> {
  const [first] = files;
  if (first === undefined) return;
  const other = first.path === ".forgeline.yml" ? ".forgeline" : ".forgeline.yml";
  if (await exists(other))
    throw new UsageError(
      `${other} is there, and a repository has either .forgeline.yml or .forgeline/; choose the file with --output`,
    );
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function cannotWrite(path: string, error: Error): never {
  throw new UsageError(`cannot write ${path}: ${error.message}`);
}

interface Shown {
  writes: boolean;
  global: GlobalFlags;
}

async function show(files: readonly ConvertedFile[], { writes, global }: Shown): Promise<void> {
  if (global.json) {
    const shown = files.map(({ sourceText: _sourceText, ...file }) => file);
    return void process.stdout.write(`${JSON.stringify({ files: shown }, null, 2)}\n`);
  }
  const docsUrl = await docsAddress(global);
  for (const [i, file] of files.entries()) {
    if (file.text !== null && !writes)
      process.stdout.write(
        `${files.length > 1 ? `${i > 0 ? "\n" : ""}# ${terminalSafe(file.path)}\n` : ""}${file.text}`,
      );
    const shownText = file.text ?? file.sourceText;
    for (const diagnostic of file.diagnostics)
      if (diagnostic.severity === "error")
        process.stderr.write(`${renderDiagnostic(diagnostic, { text: shownText, docsUrl })}\n\n`);
    process.stderr.write(`${summaryOf(file, writes)}\n`);
    // Without --write, they stand in the text that was printed.
    if (writes) process.stderr.write(placesOf(file));
  }
}

function summaryOf({ source, system, path, text, notes }: ConvertedFile, writes: boolean): string {
  const name = terminalSafe(source);
  if (text === null) return `${errorColors.red("✗")} ${name}: not converted`;
  const where = writes ? ` → ${terminalSafe(path)}` : "";
  const left =
    notes.length === 0
      ? "all of it came through"
      : `${notes.length} ${notes.length === 1 ? "place" : "places"} to check`;
  return `${errorColors.green("✓")} ${name} (${systemTitles[system]})${where}: ${left}`;
}

/** At most so many of a file. */
const maxPlaces = 20;

function placesOf({ notes }: ConvertedFile): string {
  const shown = notes.slice(0, maxPlaces).map(({ line, construct, message, suggestion }) => {
    const todo = suggestion === null ? "" : ` To do: ${suggestion}.`;
    return terminalSafe(`  line ${line}, ${construct}: ${message}.${todo}`);
  });
  const rest = notes.length - shown.length;
  if (rest > 0) shown.push(`  and ${rest} more: look for CHECK in the new file`);
  return shown.map((line) => `${line}\n`).join("");
}
