/** Compiles a file of a checkout. Its templates: those of the checkout are read from its files, as they are now; all others need a server. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { compile, type Compiled, type CompileInput } from "@forgeline/compiler/compile.ts";
import type { TemplateFile, TemplateFiles } from "@forgeline/compiler/templates/library.ts";
import { compileReading } from "@forgeline/compiler/templates/read-all.ts";
import { readReference } from "@forgeline/compiler/templates/reference.ts";

/** Reads a file by its path from the root of the repository. Rejects where there is none. */
export type ReadFile = (path: string) => Promise<string>;

/** `file`: path on this machine. */
export async function compileCheckout(
  input: Omit<CompileInput, "templates">,
): Promise<{ compiled: Compiled; templates: TemplateFiles }> {
  const folder = dirname(resolve(input.file));
  let root: Promise<string> | undefined;
  return compileWith(input, async (path) => {
    root ??= rootOf(folder);
    return readFile(join(await root, path), "utf8");
  });
}

/** As `compileCheckout`, with templates as `read` gives them. */
export function compileWith(
  input: Omit<CompileInput, "templates">,
  read: ReadFile,
): Promise<{ compiled: Compiled; templates: TemplateFiles }> {
  return compileReading(input, {
    compile: (of) => Promise.resolve(compile(of)),
    read: async (keys) =>
      Object.fromEntries(
        await Promise.all(keys.map(async (key) => [key, await readOne(key, read)] as const)),
      ),
  });
}

async function readOne(key: string, read: ReadFile): Promise<TemplateFile> {
  const parsed = readReference(key, null);
  if (!("reference" in parsed)) return { problem: parsed.problem, hint: parsed.hint };
  const { source, path } = parsed.reference;
  if (source !== null) return { elsewhere: true };
  try {
    return { text: await read(path) };
  } catch {
    return { problem: `${path} cannot be read`, hint: "./ begins in the root of the repository" };
  }
}

/** Of the checkout in which the folder lies; outside of one, the folder itself. */
export async function rootOf(folder: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("git", ["-C", folder, "rev-parse", "--show-toplevel"]);
    return stdout.trim() || folder;
  } catch {
    return folder;
  }
}
