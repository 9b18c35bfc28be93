/** Files and folders that the documentation and comments name are there: whoever reads of one finds it. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rooms =
  "bench|cli|clients|compiler|docs|keyring|launcher|runner|schemas|scripts|server|test|web|workflows";
/** A path in code marks, whole; of `a/{b,c}.ts` each. What stands for something (`<noun>`, `NOUN`, `…`) is no path. */
const wholePath = new RegExp(`\`((?:${rooms})/[\\w./{},*-]*)\``, "g");
/** The last parts of the path of a source in code marks, such as `refs/names.ts`; not an ending alone, such as `.ts`. */
const sourceName = /`((?:\.{1,2}\/)*[\w{][\w./{},-]*\.tsx?)`/g;

/** Made on first use, so not there in a fresh checkout. */
const built = ["web/dist"];
/** Names that were made up as examples, by the file that names them. */
const examples: Record<string, readonly string[]> = {
  "docs/walkthroughs/add-security-row.md": ["NN-what-it-is.test.ts"],
  "test/support/changed/words.ts": ["deploy-key.test.ts"],
};

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
})
  .split("\0")
  .filter((file) => file !== "test/contract/doc-paths.test.ts");
/** Each ending of each path, from a slash on. */
const endings = new Set(files.flatMap(endingsOf));

function endingsOf(file: string): string[] {
  const parts = file.split("/");
  return parts.map((_, at) => parts.slice(at).join("/"));
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(wholePath)].map(([, path = ""]) => path.replace(/\/$/, ""));
}

/** Names in `text` with which no path ends. */
function unknownNames(text: string): string[] {
  const names = [...text.matchAll(sourceName)].flatMap(([, name = ""]) => eachOf(name));
  return names.filter((name) => !endings.has(name.replace(/^(?:\.{1,2}\/)+/, "")));
}

/** Of `a/{b,c}.ts`: `a/b.ts` and `a/c.ts`. */
function eachOf(name: string): string[] {
  const braces = /\{(?<choices>[^{}]*)\}/.exec(name);
  if (!braces?.groups) return [name];
  const [before, after] = [name.slice(0, braces.index), name.slice(braces.index + braces[0].length)];
  return (braces.groups["choices"] ?? "").split(",").flatMap((choice) => eachOf(before + choice + after));
}

/** The comments of a source, as far as they begin a line or follow a blank. */
function commentsOf(source: string): string {
  return (source.match(/^\s*\/?\*.*$|(?:^|\s)\/\/ .*$/gm) ?? []).join("\n");
}

const pages = globSync("docs/**/*.md");

test.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  // Plans name a file of a numbered row by its number, such as `test/security/05`.
  const rest = page.startsWith("docs/plans/") ? "*" : "";
  const missing = pathsIn(text).filter(
    (path) => !built.includes(path) && globSync(`${path}${rest}`).length === 0,
  );
  const unknown = unknownNames(text).filter((name) => !examples[page]?.includes(name));
  expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
});

test("comments of sources", () => {
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  const found = sources.flatMap((file) =>
    unknownNames(commentsOf(textOf(file)))
      .filter((name) => !examples[file]?.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(sources.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

/** Empty for one that was removed since. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

test("each example is still named, and is none of our files", () => {
  const named = Object.keys(examples).map((file) => [file, unknownNames(textOf(file))]);
  expect(Object.fromEntries(named)).toEqual(examples);
});

test("a name is taken for a path only where it is one", () => {
  expect(pathsIn("`server/a.ts` `server/{a,b}/` `server/edges/rest/<noun>/` `npm run x` `a/b`")).toEqual([
    "server/a.ts",
    "server/{a,b}",
  ]);
});

test("a name that no path ends with is found", () => {
  expect(unknownNames("`refs/gone.ts`, `refs/{names,gone}.ts`, `gone.tsx`, `ames.ts`")).toEqual([
    "refs/gone.ts",
    "refs/gone.ts",
    "gone.tsx",
    "ames.ts",
  ]);
  expect(
    unknownNames("`refs/{names,refs}.ts` `names.ts` `../names.ts` `.ts` `*.store.ts` names `x.md`"),
  ).toEqual([]);
  const source = 'const a = "`x.ts`";\n// of `b.ts`\nrun(); // `c.ts`\n/** `d.ts` */\n * `e.ts`';
  expect(unknownNames(commentsOf(source))).toEqual(["b.ts", "c.ts", "d.ts", "e.ts"]);
});
