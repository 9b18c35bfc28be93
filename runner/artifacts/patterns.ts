/** Which files of a workspace the patterns of an artifact mean, and where to look for them. Pure. */
import { matchesGlob } from "@forgeline/compiler/glob.ts";

export interface PathPatterns {
  /** Whether a file or symbolic link belongs to the artifact. */
  matches(path: string): boolean;
  /** Whether something below a directory may belong to it; `""` is the workspace. */
  mayHold(directory: string): boolean;
  /** The directories and files in which all lies that they mean. */
  bases: readonly string[];
  /** As they were written, for people; of many, the first. */
  words: string;
}

const maxWords = 3;

/** A pattern means what it matches, and all that is below a directory that it matches. */
export function pathPatterns(paths: readonly string[], exclude: readonly string[]): PathPatterns {
  const all = paths.map(normal);
  const wanted = all.filter((pattern) => !pattern.startsWith("!")).map(matcher);
  const unwanted = [...all.filter((pattern) => pattern.startsWith("!")), ...exclude.map(normal)].map(
    (pattern) => matcher(pattern.replace(/^!/, "")),
  );
  const others = paths.length - maxWords;
  return {
    words: paths.slice(0, maxWords).join(", ") + (others > 0 ? ` and ${others} more` : ""),
    bases: wanted.map(({ base }) => base),
    matches: (path) =>
      wanted.some(({ matches }) => matches(path)) && !unwanted.some(({ matches }) => matches(path)),
    mayHold: (directory) =>
      directory === "" ||
      (wanted.some(({ base }) => isAbove(directory, base) || isAbove(base, directory)) &&
        !unwanted.some(({ matches }) => matches(directory))),
  };
}

function normal(pattern: string): string {
  const sign = pattern.startsWith("!") ? "!" : "";
  const path = pattern
    .slice(sign.length)
    .replace(/^(\.\/)+/, "")
    .replace(/\/+$/, "");
  return sign + (path === "." || path === "" ? "**" : path);
}

interface Matcher {
  /** The directory that all that it matches lies in. */
  base: string;
  matches(path: string): boolean;
}

/** Most patterns are one directory or file: for these nothing has to be searched. */
function matcher(pattern: string): Matcher {
  const isPlain = (text: string) => !/[*?\\]/.test(text);
  const tree = pattern.replace(/\/\*\*$/, "");
  if (isPlain(tree)) {
    const isTree = tree !== pattern;
    return { base: tree, matches: (path) => (path === tree && !isTree) || path.startsWith(`${tree}/`) };
  }
  const parts = pattern.split("/");
  const base = parts
    .slice(
      0,
      parts.findIndex((part) => !isPlain(part)),
    )
    .join("/");
  const below = `${pattern}/**`;
  return { base, matches: (path) => matchesGlob(pattern, path) || matchesGlob(below, path) };
}

/** Whether `path` is `directory`, or lies below it. */
function isAbove(directory: string, path: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}
