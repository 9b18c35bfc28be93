/** Fields of the API, as options that give them. */
import { createProgram } from "@forgeline/cli/command-line.ts";
import { optionOfField, withOptionNames } from "@forgeline/cli/options/field-options.ts";
import { expect, test } from "vitest";

type Command = ReturnType<typeof createProgram>;

function commandOf(path: string): Command {
  let found = createProgram();
  for (const name of path.split(" ")) {
    const child = found.commands.find((each) => each.name() === name);
    if (!child) throw new Error(`there is no command ${path}`);
    found = child;
  }
  return found;
}

test.each([
  ["mirror set", "interval_minutes", "--every"],
  ["mirror set", "cron", "--cron"],
  ["mirror set", "host_key", "--host-key"],
  ["push-mirror create", "credentials.password", "--password-file"],
  ["schedule create", "variables.DEPTH", "--variable"],
  ["webhook add", "events[0]", "--events"],
  ["webhook update", "url", "--new-url"],
  ["webhook update", "ca_certificate", "--authority"],
  ["audit stream set", "url", "--to"],
  ["audit stream set", "bucket.secret_access_key", "--secret-key-file"],
  ["audit stream set", "bucket.name", "--bucket"],
  ["app create", "redirect_uris", "--redirect-uri"],
  ["mirror set", "url", undefined],
])("%s: %s is %s", (command, field, option) => {
  expect(optionOfField(field, commandOf(command))).toBe(option);
});

test("only what the command can give is put into its words", () => {
  const text = "Give either `interval_minutes` or `cron`; `main` and `url` stay.";
  expect(withOptionNames(text, commandOf("mirror set"))).toBe(
    "Give either --every or --cron; `main` and `url` stay.",
  );
});
