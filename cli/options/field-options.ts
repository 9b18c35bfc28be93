/** Which option of a command gives a field of the API, so that errors name what a person typed. */
import type { Command } from "commander";

/** Where the option is called otherwise than the field. */
const calledOtherwise: Readonly<Record<string, readonly string[]>> = {
  interval_minutes: ["every"],
  ca_certificate: ["authority"],
  credentials: ["passwordFile"],
  due_on: ["due"],
  expires_in_days: ["expires"],
  password: ["passwordFile"],
  secret: ["secretFile"],
  secret_access_key: ["secretKeyFile"],
  api_url: ["api"],
  source_branch: ["source"],
  ssh_key: ["newSshKey"],
  start_seq: ["fromSeq"],
  target_branch: ["target"],
  token: ["tokenFile"],
  url: ["to", "newUrl"],
  inputs: ["input"],
  variables: ["variable"],
  users: ["user"],
  redirect_uris: ["redirectUri"],
};

/** Members of these have the names that people give them, which may be those of other options. */
const namedByPeople = new Set(["inputs", "variables"]);

/** `--every` for `interval_minutes`; undefined where the command has no option for it. Its parts are tried as well. */
export function optionOfField(field: string, command: Command): string | undefined {
  const parts = field.split(/[.[\]]+/).filter(Boolean);
  const [first = ""] = parts;
  const names = namedByPeople.has(first) ? [first] : [field, ...parts.toReversed()];
  for (const name of names) {
    const wanted = [camelCase(name), ...(calledOtherwise[name] ?? [])];
    const option = command.options.find((each) => wanted.includes(each.attributeName()));
    if (option?.long) return option.long;
  }
  return undefined;
}

/** A text of the API with options in place of the fields that it names in backticks. */
export function withOptionNames(text: string, command: Command): string {
  return text.replaceAll(/`([a-z_.]+)`/g, (quoted, field: string) => optionOfField(field, command) ?? quoted);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
