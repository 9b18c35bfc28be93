/** Files of other systems on this machine as pipeline files: which there are, what they become, and where that belongs. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { convert, type Conversion } from "@forgeline/compiler/convert/convert.ts";
import {
  stemOf,
  systemOfPath,
  systemOfText,
  type SourceSystem,
} from "@forgeline/compiler/convert/systems.ts";
import { limits } from "@forgeline/compiler/limits.ts";

/** What `forgeline convert --json` prints of each file. */
export interface ConvertedFile {
  source: string;
  system: SourceSystem;
  /** Where the new file belongs, or has been written. */
  path: string;
  /** null: the source could not be read as a file of its system. */
  text: string | null;
  notes: Conversion["notes"];
  /** What is wrong with the source; otherwise what our compiler says of the new file. */
  diagnostics: Conversion["diagnostics"];
  /** For showing diagnostics of the source. */
  sourceText: string;
}

/** Something about the files that the person has to change. */
export interface ConvertProblem {
  problem: string;
}

/** At most so many at once; a repository has fewer. */
const maxFiles = 100;

/** Files of all systems, where they look for them. In the order of their names. */
export async function findSources(directory: string): Promise<string[]> {
  const single = [
    ".gitlab-ci.yml",
    ".gitlab-ci.yaml",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    "bitbucket-pipelines.yml",
  ];
  const found = await Promise.all([
    ...single.map(async (name) => ((await isFile(join(directory, name))) ? [name] : [])),
    ...[".github/workflows", ".woodpecker"].map(async (folder) => {
      const names = await readdir(join(directory, folder)).catch(() => []);
      return names.filter((name) => /\.ya?ml$/.test(name)).map((name) => `${folder}/${name}`);
    }),
  ]);
  return found.flat().sort();
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

export interface ConvertRequest {
  directory: string;
  sources: readonly string[];
  from: SourceSystem | null;
  /** A file for one source, a directory for several. null: `.forgeline.yml` or `.forgeline/`. */
  output: string | null;
}

/** Writes nothing. */
export async function convertFiles(request: ConvertRequest): Promise<ConvertedFile[] | ConvertProblem> {
  const { sources, from, directory } = request;
  if (sources.length > maxFiles) return { problem: `${sources.length} files are more than ${maxFiles}` };
  const paths = pathsFor(request);
  const files: ConvertedFile[] = [];
  for (const [i, source] of sources.entries()) {
    const text = await readSource(resolve(directory, source), source);
    if (typeof text !== "string") return text;
    const system = from ?? systemOfPath(source) ?? systemOfText(text);
    if (system === null)
      return {
        problem: `cannot tell whose file ${source} is; say so with --from github, gitlab, woodpecker or bitbucket`,
      };
    const path = paths[i] ?? ".forgeline.yml";
    const { text: written, notes, problems, diagnostics } = convert({ source, text, system, path });
    files.push({
      source,
      system,
      path,
      text: written,
      notes,
      diagnostics: written === null ? problems : diagnostics,
      sourceText: text,
    });
  }
  return files;
}

async function readSource(path: string, name: string): Promise<string | ConvertProblem> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return { problem: `cannot read ${name}` };
  if (found.size > limits.fileBytes)
    return { problem: `${name} is ${found.size} bytes; at most ${limits.fileBytes} are allowed` };
  return readFile(path, "utf8").catch(() => ({ problem: `cannot read ${name}` }));
}

/** Several pipelines of one repository lie in `.forgeline/`, each under its own name. */
function pathsFor({ sources, output }: ConvertRequest): string[] {
  if (sources.length === 1) return [output ?? ".forgeline.yml"];
  const used = new Set<string>();
  return sources.map((source) => {
    const stem = stemOf(source);
    let name = stem;
    for (let n = 2; used.has(name.toLowerCase()); n += 1) name = `${stem}-${n}`;
    used.add(name.toLowerCase());
    return join(output ?? ".forgeline", `${name}.yml`);
  });
}
