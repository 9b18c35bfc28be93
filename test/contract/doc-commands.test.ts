/** Each `forgeline …` that the docs show is a command that exists, with options that it has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "@forgeline/cli/command-line.ts";
import { expect, it } from "vitest";

type Command = ReturnType<typeof createProgram>;
type Option = Command["options"][number];

const root = join(import.meta.dirname, "../..");
const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
const pages = ["README.md", ...docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];

/** What a page shows in blocks, and in the text. */
function shownOn(page: string): string[] {
  const lines = readFileSync(join(root, page), "utf8").split("\n");
  const blocks = lines.filter((line) => /^ *(\$ )?(npx )?forgeline [a-z]/.test(line));
  const inText = lines.flatMap((line) =>
    [...line.matchAll(/`((?:npx )?forgeline [a-z][^`]*)`/g)].map(([, code = ""]) => code),
  );
  return [...blocks, ...inText].map((line) => line.trim());
}

/** Words up to a comment, a pipe or a redirection; brackets mean that something may be left out. */
function wordsOf(line: string): string[] {
  const words = line.replace(/[[\]]/g, "").match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const end = words.findIndex((word) => /^(#.*|\||\d?[<>].*|&&|;|…)$/.test(word));
  const own = end < 0 ? words : words.slice(0, end);
  return own.slice(own.indexOf("forgeline") + 1);
}

function optionOf(chain: readonly Command[], name: string): Option | undefined {
  return chain.flatMap(({ options }) => options).find(({ long, short }) => name === long || name === short);
}

/** How many words follow that belong to it. */
function valuesOf({ required, optional, variadic }: Option, following: readonly string[]): number {
  if (!required && !optional) return 0;
  if (!variadic) return 1;
  const end = following.findIndex((word) => word.startsWith("-"));
  return end < 0 ? following.length : end;
}

/** `list|set` are two commands. */
function commandsBelow(command: Command, word: string): Command[] {
  const found = word
    .split("|")
    .map((name) => command.commands.find((one) => one.name() === name || one.aliases().includes(name)));
  return found.every((one) => one !== undefined) ? found : [];
}

/** What is wrong with it, as a sentence; undefined: nothing. */
function problemOf(
  words: readonly string[],
  chain: readonly Command[] = [createProgram()],
): string | undefined {
  const command = chain.at(-1);
  if (!command) return undefined;
  let given = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word.startsWith("-")) {
      const [name = ""] = word.split("=");
      const option = optionOf(chain, name);
      if (!option && name !== "--help" && !command.usage().includes(name))
        return `${command.name()} has no option ${name}`;
      if (option && name === word) at += valuesOf(option, words.slice(at + 1));
      continue;
    }
    const [below] = commandsBelow(command, word);
    if (below) return problemOf(words.slice(at + 1), [...chain, below]);
    const takes = command.registeredArguments;
    given += 1;
    if (given > takes.length && takes.at(-1)?.variadic !== true) return `${command.name()} takes no ${word}`;
  }
  return undefined;
}

it("exists, with its options", () => {
  const found = pages.flatMap((page) =>
    shownOn(page).flatMap((line) => {
      const problem = problemOf(wordsOf(line));
      return problem === undefined ? [] : [`${page}: ${line}: ${problem}`];
    }),
  );
  expect(found).toEqual([]);
  expect(pages.flatMap(shownOn).length).toBeGreaterThan(100);
});

it("would be found if it did not", () => {
  const problems = [
    "forgeline runner drain builder --with 3",
    "forgeline runners list",
    "forgeline runner drain a b",
  ];
  expect(problems.map((line) => problemOf(wordsOf(line)))).toEqual([
    "drain has no option --with",
    "forgeline takes no runners",
    "drain takes no b",
  ]);
});
