/** Which file of the server imports which other, types included: they, too, are what a successor has to know. */
import { glob, readFile } from "node:fs/promises";
import { join, posix } from "node:path";

export interface Arrow {
  /** Paths from the root of the checkout. */
  from: string;
  to: string;
}

const ofPackage = "@forgeline/server/";
const imports =
  /(?:^|\n)(?:import|export)\s(?:[^;"']*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)|\bnew URL\("(\.[^"]+\.ts)"/g;

/** Imports between files of the server that stand in `text`, the source of `from`. */
export function arrowsIn(from: string, text: string): Arrow[] {
  return [...text.matchAll(imports)].flatMap(([, named, loaded, beside]) => {
    const target = targetOf(from, named ?? loaded ?? beside ?? "");
    return target?.startsWith("server/") ? [{ from, to: target }] : [];
  });
}

function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), specifier));
  if (specifier.startsWith(ofPackage)) return `server/${specifier.slice(ofPackage.length)}`;
  return undefined;
}

/** All arrows between the server's files, in the order of their paths. */
export async function readArrows(root: string): Promise<Arrow[]> {
  const files: string[] = [];
  for await (const file of glob("server/**/*.ts", { cwd: root })) files.push(file);
  const found = await Promise.all(
    files.toSorted().map(async (file) => arrowsIn(file, await readFile(join(root, file), "utf8"))),
  );
  return found.flat();
}
