/** `forgeline org sso`: the identity provider of an organization, and whom it signs in. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { readSecret } from "../../connection/read-secret.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";

interface SetOptions {
  issuer: string;
  clientId: string;
  secret?: boolean;
  emailDomain?: string[];
  provision?: boolean;
  disable?: boolean;
}

export function ssoCommand(): Command {
  const sso = new Command("sso").description("Single sign-on with an organization's identity provider");
  sso.command("view <org>").description("Show the settings; the client secret is never shown").action(view);
  sso
    .command("set <org>")
    .description("Replace all settings; anything left out is turned off")
    .requiredOption("--issuer <address>", "issuer, exactly as the provider states it")
    .requiredOption("--client-id <id>", "client id of this instance at the provider")
    .option(
      "--secret",
      "read a new client secret from a prompt or standard input; otherwise the stored one is kept",
    )
    .option("--email-domain <domain...>", "only accept verified addresses in these domains")
    .option("--provision", "make everyone the provider signs in a member, creating an account where needed")
    .option("--disable", "keep the settings but let nobody sign in this way")
    .action(set);
  sso
    .command("remove <org>")
    .description("Remove single sign-on with all linked identities and their sessions")
    .action(remove);
  sso
    .command("identities [org]")
    .description("List the identities linked in an organization; without a name, your own")
    .action(identities);
  sso
    .command("unlink <id>")
    .alias("part")
    .description("Unlink your identity, or with --org that of a member of your organization")
    .option("--org <org>", "the organization")
    .action(unlink);
  addExamples(sso, [
    "forgeline org sso set acme --issuer https://id.acme.example --client-id forgeline --secret < secret.txt",
    "forgeline org sso identities acme",
  ]);
  return sso;
}

function describe(sso: Schemas["SsoConfiguration"]): string {
  return renderFields([
    ["issuer", sso.issuer],
    ["client id", sso.client_id],
    ["e-mail domains", sso.email_domains.join(" ") || "any"],
    ["new members", sso.provision ? "yes" : "no"],
    ["enabled", sso.enabled ? "yes" : "no"],
    ["members start at", sso.sign_in_url],
    ["redirect address", sso.callback_url],
  ]);
}

async function view(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const sso = await valueOf(api.GET("/orgs/{org}/sso", { params: { path: { org } } }));
  print(sso, () => describe(sso));
}

async function set(org: string, options: SetOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const secret = options.secret ? await readSecret("Client secret") : undefined;
  if (secret === "") throw new UsageError("no client secret was given");
  const body = {
    issuer: options.issuer,
    client_id: options.clientId,
    email_domains: options.emailDomain ?? [],
    provision: options.provision ?? false,
    enabled: !options.disable,
    ...(secret === undefined ? {} : { client_secret: secret }),
  };
  const sso = await valueOf(api.PUT("/orgs/{org}/sso", { params: { path: { org } }, body }));
  print(sso, () => describe(sso));
}

async function remove(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/sso", { params: { path: { org } } }));
  print({ organization: org, removed: true }, () => `${org} has no single sign-on any more`);
}

async function identities(org: string | undefined, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  if (org === undefined) {
    const own = await everyPage((query) => api.GET("/user/sso-identities", { params: { query } }));
    const rows = own.map((i) => [i.id, i.organization, i.issuer, i.last_used_at ?? "never"]);
    return print(own, () =>
      renderList("linked identities", ["ID", "ORGANIZATION", "ISSUER", "LAST USED"], rows),
    );
  }
  const all = await everyPage((query) =>
    api.GET("/orgs/{org}/sso/identities", { params: { path: { org }, query } }),
  );
  const rows = all.map((i) => [i.id, i.user.username, i.subject, i.last_used_at ?? "never"]);
  print(all, () => renderList("linked identities", ["ID", "USER", "SUBJECT", "LAST USED"], rows));
}

async function unlink(id: string, { org }: { org?: string }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer =
    org === undefined
      ? api.DELETE("/user/sso-identities/{id}", { params: { path: { id } } })
      : api.DELETE("/orgs/{org}/sso/identities/{id}", { params: { path: { org, id } } });
  await valueOf(answer);
  print({ id, unlinked: true }, () => `unlinked ${id}`);
}
