/** `forgeline secret list|set|delete|uses`: what jobs may know and nobody may read. */
import { Command } from "commander";
import { pipelineEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { listed } from "../../options/listed.ts";
import { addOwnerOptions, ownedBy, type OwnerOptions } from "../../options/settings-owner.ts";
import { readValue } from "./read-value.ts";

type Secret = Schemas["Secret"];

interface Limits extends OwnerOptions {
  branches?: string;
  tags?: string;
  events?: string;
  stages?: string;
  images?: string;
  environments?: string;
  repositories?: string;
}

export function secretCommand(): Command {
  const secret = new Command("secret").description("Secrets of pipelines: set and used, never shown");
  addOwnerOptions(secret.command("list"), "secrets").description("List secrets, by name").action(list);
  addOwnerOptions(secret.command("set <name>"), "secrets")
    .description("Set a secret; the value is read from standard input, or asked for")
    .option("--branches <globs>", "only runs of these branches, separated by commas")
    .option("--tags <globs>", "only runs of these tags")
    .option("--events <list>", `only runs of these events: ${pipelineEvents.join(", ")}`)
    .option("--stages <globs>", "only jobs of these stages")
    .option("--images <globs>", "only containers of these images")
    .option(
      "--environments <globs>",
      "only jobs that deploy to these environments, which somebody with Maintain made or confirmed",
    )
    .option(
      "--repositories <globs>",
      "only jobs of these repositories: their names with --org, OWNER/NAME with --instance",
    )
    .action(set);
  addOwnerOptions(secret.command("delete <name>"), "secrets").description("Delete a secret").action(remove);
  addOwnerOptions(secret.command("uses <name>"), "secrets")
    .description("List the jobs that were given a secret, newest first")
    .action(uses);
  addExamples(secret, [
    "forgeline secret set DEPLOY_KEY --branches main --events push < deploy.key",
    "forgeline secret set NPM_TOKEN --org acme --repositories 'shop,web-*' < token",
    "forgeline secret list --org acme",
    "forgeline secret uses DEPLOY_KEY",
  ]);
  return secret;
}

async function list(options: OwnerOptions, command: Command): Promise<void> {
  const { api, print, at, owner } = await ownedBy(command, options, "secrets");
  const secrets = await everyPage((query) => api.GET(at(""), { params: { path: owner, query } }));
  print(secrets, () =>
    renderList(
      "secrets",
      ["NAME", "LIMITS", "UPDATED", "LAST USED"],
      secrets.map((secret) => [
        secret.name,
        limitsOf(secret),
        secret.updated_at,
        secret.last_used_at ?? "never",
      ]),
    ),
  );
}

function limitsOf(secret: Secret): string {
  const { branches, tags, events, stages, images, environments, repositories } = secret;
  const limits = Object.entries({ repositories, branches, tags, events, stages, images, environments });
  const set = limits.filter(([, patterns]) => patterns.length > 0);
  return set.length === 0 ? "none" : set.map(([kind, patterns]) => `${kind} ${patterns.join(",")}`).join(" ");
}

async function set(name: string, options: Limits, command: Command): Promise<void> {
  const { api, print, at, owner, ofOwner } = await ownedBy(command, options, "secrets");
  const body = {
    value: await readValue(name),
    branches: listed(options.branches),
    tags: listed(options.tags),
    events: listed(options.events) as Secret["events"],
    stages: listed(options.stages),
    images: listed(options.images),
    environments: listed(options.environments),
    repositories: listed(options.repositories),
  };
  await valueOf(api.PUT(at("/{name}"), { params: { path: { ...owner, name } }, body }));
  print({ set: name }, () => terminalSafe(`set ${name} ${ofOwner}`));
}

async function remove(name: string, options: OwnerOptions, command: Command): Promise<void> {
  const { api, print, at, owner, ofOwner } = await ownedBy(command, options, "secrets");
  await valueOf(api.DELETE(at("/{name}"), { params: { path: { ...owner, name } } }));
  print({ deleted: name }, () => terminalSafe(`deleted ${name} ${ofOwner}`));
}

async function uses(name: string, options: OwnerOptions, command: Command): Promise<void> {
  const { api, print, at, owner } = await ownedBy(command, options, "secrets");
  const all = await everyPage((query) =>
    api.GET(at("/{name}/uses"), { params: { path: { ...owner, name }, query } }),
  );
  print(all, () =>
    renderList(
      "uses",
      ["USED", "RUN", "JOB", "ATTEMPT"],
      all.map((use) => [
        use.used_at,
        `${use.repository}#${use.pipeline_number}`,
        use.job,
        String(use.attempt),
      ]),
    ),
  );
}
