/** Whoever silences a tool says why, in the tool's own form, and names what is silenced: in every file of the repository. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What begins a suppression in a comment, and how one with a reason goes on; null: there is none that will do. */
const forms: [begins: string, goesOn: RegExp | null][] = [
  ["(?:oxlint|eslint)-disable", /^(?:-next-line|-line)? [\w@/-]+(?:, [\w@/-]+)* -- \S/],
  ["@ts-expect-error", /^ (?:-- )?\w/],
  ["@ts-ignore", null],
  ["@ts-nocheck", null],
  ["(?:v8|c8|istanbul) ignore", /^[\w ]* -- \S/],
  ["(?:prettier|oxfmt)-ignore", /^[\w-]* -- \S/],
  ["shellcheck disable", /^=[\w,]+ # \S/],
];

/** Lines that silence a tool without saying why. */
function unexplained(text: string): string[] {
  return text.split("\n").filter((line) =>
    forms.some(([begins, goesOn]) => {
      const found = new RegExp(`(?://|/\\*|<!--|#|^\\s*\\*)\\s*${begins}(?<rest>.*)$`).exec(line);
      return found !== null && goesOn?.test(found.groups?.["rest"] ?? "") !== true;
    }),
  );
}

test("every suppression has its reason", () => {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = listed.toString("utf8").split("\0").filter(isOurs);
  const found = files.flatMap((file) => unexplained(textOf(file)).map((line) => `${file}: ${line.trim()}`));
  expect(files.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

function isOurs(file: string): boolean {
  return /\.(?:ts|tsx|js|mjs|css|sh|ya?ml|html|go|c)$/.test(file) && !file.includes("/generated/");
}

/** Empty for one that was removed since. */
function textOf(file: string): string {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return "";
  }
}

/** Rules of the linter's configuration that are off without a comment above them, or above the rules that are off with them. */
function unexplainedRules(config: string): string[] {
  const lines = config.split("\n").map((line) => line.trim());
  const isOff = (line: string | undefined) => /^"[\w@/-]+": "off",?$/.test(line ?? "");
  return lines.filter((line, at) => {
    if (!isOff(line)) return false;
    const above = lines.slice(0, at).findLast((one) => !isOff(one));
    return !/^\/\/ \S/.test(above ?? "");
  });
}

test("every rule of the linter that is off has its reason", () => {
  expect(unexplainedRules(textOf(".oxlintrc.json"))).toEqual([]);
});

test("one without a reason is found", () => {
  const explained = '{\n// Tests are long.\n"max-params": "off",\n"house/max-own-lines": "off"\n}';
  expect(unexplainedRules(explained)).toEqual([]);
  expect(unexplainedRules('{\n"no-console": "error",\n"no-alert": "off"\n}')).toEqual(['"no-alert": "off"']);
  expect(unexplainedRules('{\n// One.\n"a/b": "error",\n"no-alert": "off"\n}')).toEqual([
    '"no-alert": "off"',
  ]);
});

// Put together, so that this file silences nothing.
const oxlint = "oxlint-disable";
const ts = "@ts-";

test.each([
  `// ${oxlint}-next-line no-console`,
  `// ${oxlint}-next-line no-console --`,
  `/* ${oxlint} */`,
  `// ${oxlint} -- all of it`,
  `// ${oxlint}-line no-console, no-alert because`,
  `      {/* ${oxlint}-next-line react/no-danger */}`,
  `// eslint-${"disable-next-line no-console"}`,
  `// ${ts}expect-error`,
  `// ${ts}ignore -- why`,
  `// ${ts}nocheck -- why`,
  `/* v8 ${"ignore next 3"} */`,
  `// prettier-${"ignore"}`,
  `<!-- oxfmt-${"ignore"} -->`,
  `# shellcheck ${"disable=SC2086"}`,
])("bites: %s", (line) => {
  expect(unexplained(`before();\n${line}\nafter();`)).toEqual([line]);
});

test.each([
  `// ${oxlint}-next-line no-console -- a program speaks to its terminal`,
  `/* ${oxlint} max-lines, house/max-own-lines -- one table */`,
  `// ${ts}expect-error there is no such column`,
  `// ${ts}expect-error -- there is no such column`,
  `/* v8 ${"ignore next 3"} -- only on another system */`,
  `// oxfmt-${"ignore"} -- a table`,
  `# shellcheck ${"disable=SC2086"} # several flags`,
  `const word = "${oxlint}";`,
])("does not bite: %s", (line) => {
  expect(unexplained(line)).toEqual([]);
});
