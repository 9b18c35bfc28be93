/**
 * A program of this checkout with all that it imports, as one file. It is kept with a checksum of what it was made of: bundling
 * takes a second, and most starts have the same sources as the one before.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What the bundle depends on in addition to its own sources. */
const alwaysUsed = ["package-lock.json", relative(root, import.meta.filename)];

/** One ES module for our Node, whatever its parts were written for. */
export const asNodeModule = {
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  banner: {
    // Parts that were written for require() expect what an ES module does not have.
    js: [
      'import { createRequire as __createRequire } from "node:module";',
      "const require = __createRequire(import.meta.url);",
      "const __filename = import.meta.filename, __dirname = import.meta.dirname;",
    ].join("\n"),
  },
} as const satisfies BuildOptions;

interface Kept {
  /** Paths below the checkout. */
  sources: string[];
  checksum: string;
  code: string;
}

/** A part that a program loads when it is asked for, from a file beside its own. */
export interface LazyPart {
  /** Path below the checkout. */
  entry: string;
  /** Name of its file. */
  file: string;
}

/** `entry` is a path below the checkout. A cache that cannot be written costs time only. */
export async function bundledProgram(
  entry: string,
  cache: string,
  lazyParts: readonly LazyPart[] = [],
): Promise<string> {
  const place = createHash("sha256").update(join(root, entry)).digest("hex").slice(0, 16);
  const file = join(cache, "bundles", `${basename(dirname(entry))}-${place}.json`);
  const kept = await readKept(file);
  if (kept !== undefined && (await checksumOf(kept.sources)) === kept.checksum) return kept.code;
  const { code, sources } = await bundle(entry, lazyParts);
  const checksum = (await checksumOf(sources)) ?? "";
  await keep(file, { sources, checksum, code }).catch(() => undefined);
  return code;
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Kept;
  } catch {
    return undefined;
  }
}

/** Undefined when one of them is gone. */
async function checksumOf(sources: readonly string[]): Promise<string | undefined> {
  const contents = await Promise.all(
    sources.map((path) => readFile(join(root, path)).catch(() => undefined)),
  );
  const hash = createHash("sha256");
  for (const [index, content] of contents.entries()) {
    if (content === undefined) return undefined;
    hash.update(`${sources[index]}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

async function keep(file: string, kept: Kept): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomUUID()}`;
  await writeFile(part, JSON.stringify(kept));
  await rename(part, file);
}

async function bundle(
  entry: string,
  lazyParts: readonly LazyPart[],
): Promise<{ code: string; sources: string[] }> {
  // Loading it starts a process of its own.
  const { build } = await import("esbuild");
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    ...asNodeModule,
    write: false,
    metafile: true,
    legalComments: "none",
    logLevel: "silent",
    // Optional native parts of ssh2, which only `DOCKER_HOST=ssh://` would use; it works without them.
    external: ["cpu-features", "*.node"],
    plugins: [besideProgram(lazyParts)],
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error(`bundling ${entry} gave nothing`);
  return { code: file.text, sources: [...alwaysUsed, ...Object.keys(result.metafile.inputs)] };
}

/** Leaves lazy parts out of the program, which finds them beside itself. */
function besideProgram(lazyParts: readonly LazyPart[]): Plugin {
  return {
    name: "lazy parts",
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const wanted = relative(root, join(resolveDir, path));
        const part = kind === "dynamic-import" && lazyParts.find((each) => each.entry === wanted);
        return part ? { path: `./${part.file}`, external: true } : undefined;
      });
    },
  };
}
