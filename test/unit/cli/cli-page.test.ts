/** Each command of `forgeline` stands in the documentation: in `docs/cli.md`, those of administrators on a page of their own. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProgram } from "@forgeline/cli/command-line.ts";

type Command = ReturnType<typeof createProgram>;

const read = (path: string) => readFile(join(import.meta.dirname, "../../..", path), "utf8");
const page = await read("docs/cli.md");
const forAdministrators = await read("docs/operations/administration.md");

/** Full names, such as `repo deploy-key add`. A command that does something itself counts beside those inside it. */
function namesOf(command: Command, before = ""): string[] {
  return command.commands.flatMap((child: Command) => {
    const name = `${before}${child.name()}`;
    const inside = namesOf(child, `${name} `);
    return inside.length === 0 ? [name] : inside;
  });
}

function isNamed(name: string, text: string): boolean {
  return new RegExp(`(?<![a-z-])${name}(?![a-z-])`).test(text);
}

const names = namesOf(createProgram());

test("docs/cli.md names every command", () => {
  expect(names.length).toBeGreaterThan(100);
  const missing = names.filter((name) => !name.startsWith("admin ") && !isNamed(name, page));
  expect(missing).toEqual([]);
});

/** Each command that can be called, with its full name. */
function commandsOf(command: Command, before = ""): { name: string; command: Command }[] {
  return command.commands.flatMap((child: Command) => {
    const name = `${before}${child.name()}`;
    return [{ name, command: child }, ...commandsOf(child, `${name} `)];
  });
}

test("docs/cli.md names every option, in a row that names its command", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("|"));
  const missing = commandsOf(createProgram())
    .filter(({ name }) => !/^admin(?: |$)/.test(name))
    .flatMap(({ name, command }) => {
      const text = rows.filter((row) => isNamed(name, row)).join("\n");
      return command.options
        .filter(
          ({ hidden, long, short }) => !hidden && ![long, short].some((flag) => flag && isNamed(flag, text)),
        )
        .map(({ flags }) => `${name} ${flags}`);
    });
  expect(missing).toEqual([]);
});

test("the administrators' page names every command for them", () => {
  const theirs = names.filter((name) => name.startsWith("admin ")).map((name) => name.replace("admin ", ""));
  const missing = theirs.filter((name) => !isNamed(`\`${name}`, forAdministrators));
  expect(missing).toEqual([]);
});

test("a command that is left out is noticed", () => {
  expect(
    ["repo list", "repo li", "repo archive", "archive"].map((name) => isNamed(name, "`repo list`")),
  ).toEqual([true, false, false, false]);
});
