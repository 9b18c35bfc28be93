/** `forgeline app`: OAuth 2.0 apps, your own or, with `--org`, those of an organization. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { requireChanges, omitUndefined } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";
import { parseScopes } from "../../options/scopes.ts";

interface OwnerOption {
  org?: string;
}

interface CreateOptions extends OwnerOption {
  redirectUri: string[];
  scopes: string;
  homepage?: string;
  /** False by `--no-secret`. */
  secret: boolean;
}

interface EditOptions extends OwnerOption {
  name?: string;
  redirectUri?: string[];
  homepage?: string;
}

export function appCommand(): Command {
  const app = new Command("app").description(
    "OAuth 2.0 apps that you register to act on behalf of other people",
  );
  const ofOwner = (name: string, description: string) =>
    app
      .command(name)
      .description(description)
      .option("--org <org>", "use this organization's apps instead of your own");
  ofOwner("list", "List registered apps").action(list);
  ofOwner("view <id>", "Show an app").action(view);
  ofOwner("create <name>", "Register an app; its secret is shown once")
    .requiredOption("--redirect-uri <uri...>", "redirect addresses, 1 to 10, compared exactly")
    .requiredOption("--scopes <list>", "scopes it may request at most, for example repo:read,user:read")
    .option("--homepage <address>", "home page, shown to people who are asked for access")
    .option("--no-secret", "public client, for programs on people's machines and in browsers; must use PKCE")
    .action(create);
  ofOwner("edit <id>", "Change an app; its scopes cannot be changed")
    .option("--name <name>", "new name")
    .option("--redirect-uri <uri...>", "replace the redirect addresses")
    .option("--homepage <address>", "home page, shown to people who are asked for access")
    .action(edit);
  ofOwner("rotate <id>", "Replace the secret; the old one stops working immediately").action(rotate);
  ofOwner("delete <id>", "Delete an app and revoke all access people have given it").action(remove);
  addExamples(app, [
    'forgeline app create "Deploy Bot" --redirect-uri https://bot.example/callback --scopes repo:read',
    "forgeline app list --org acme",
    "forgeline app rotate app_…",
  ]);
  return app;
}

async function list({ org }: OwnerOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const apps = await everyPage((query) =>
    org === undefined
      ? api.GET("/user/oauth-apps", { params: { query } })
      : api.GET("/orgs/{org}/oauth-apps", { params: { path: { org }, query } }),
  );
  const rows = apps.map((a) => [a.id, a.name, a.scopes.join(","), a.redirect_uris.join(" ")]);
  print(apps, () => renderList("apps", ["ID", "NAME", "SCOPES", "REDIRECT ADDRESSES"], rows));
}

async function view(id: string, { org }: OwnerOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer =
    org === undefined
      ? api.GET("/user/oauth-apps/{id}", { params: { path: { id } } })
      : api.GET("/orgs/{org}/oauth-apps/{id}", { params: { path: { org, id } } });
  const app = await valueOf(answer);
  print(app, () => renderFields(fieldsOf(app)));
}

function fieldsOf(app: Schemas["OAuthApp"]): [string, string][] {
  return [
    ["name", app.name],
    ["owner", app.owner],
    ["client id", app.client_id],
    ["scopes", app.scopes.join(",")],
    ...(app.homepage_url === null ? [] : [["homepage", app.homepage_url] as [string, string]]),
    ...app.redirect_uris.map((uri): [string, string] => ["redirect", uri]),
  ];
}

function withSecret(app: Schemas["OAuthAppWithSecret"]): string {
  const secret = app.client_secret ?? "none: it must use PKCE";
  return renderFields([...fieldsOf(app), ["client secret", secret]]);
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const { org } = options;
  const body = {
    name,
    redirect_uris: options.redirectUri,
    scopes: parseScopes(options.scopes),
    confidential: options.secret,
    ...omitUndefined({ homepage_url: options.homepage }),
  };
  const answer =
    org === undefined
      ? api.POST("/user/oauth-apps", { body })
      : api.POST("/orgs/{org}/oauth-apps", { params: { path: { org } }, body });
  const app = await valueOf(answer);
  print(app, () => withSecret(app));
}

async function edit(id: string, options: EditOptions, command: Command): Promise<void> {
  const { org, name, redirectUri, homepage } = options;
  const body = requireChanges(
    { name, redirect_uris: redirectUri, homepage_url: homepage },
    "--name, --redirect-uri or --homepage",
  );
  const { api, print } = await contextOf(command);
  const answer =
    org === undefined
      ? api.PATCH("/user/oauth-apps/{id}", { params: { path: { id } }, body })
      : api.PATCH("/orgs/{org}/oauth-apps/{id}", { params: { path: { org, id } }, body });
  const app = await valueOf(answer);
  print(app, () => `changed ${app.id}`);
}

async function rotate(id: string, { org }: OwnerOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer =
    org === undefined
      ? api.POST("/user/oauth-apps/{id}/secret", { params: { path: { id } } })
      : api.POST("/orgs/{org}/oauth-apps/{id}/secret", { params: { path: { org, id } } });
  const app = await valueOf(answer);
  print(app, () => withSecret(app));
}

async function remove(id: string, { org }: OwnerOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer =
    org === undefined
      ? api.DELETE("/user/oauth-apps/{id}", { params: { path: { id } } })
      : api.DELETE("/orgs/{org}/oauth-apps/{id}", { params: { path: { org, id } } });
  await valueOf(answer);
  print({ id, deleted: true }, () => `deleted ${id}`);
}
