/** Binds the operations on secrets of environments, repositories, organizations and the instance: the same for all. */
import {
  deleteEnvironmentSecret,
  deleteInstanceSecret,
  deleteOrganizationSecret,
  deleteSecret,
  listEnvironmentSecrets,
  listEnvironmentSecretUses,
  listInstanceSecrets,
  listInstanceSecretUses,
  listJobCredentials,
  listOrganizationSecrets,
  listOrganizationSecretUses,
  listSecrets,
  listSecretUses,
  putEnvironmentSecret,
  putInstanceSecret,
  putOrganizationSecret,
  putSecret,
} from "@forgeline/schemas/secrets/routes.ts";
import type { CredentialService, SecretService, StoredSecret } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSecretRoutes(
  app: RouteBinder,
  { secrets, credentials }: { secrets: SecretService; credentials: CredentialService },
): void {
  app.bindRepository(listJobCredentials, async ({ repository, params, query }) => ({
    body: await credentials.list(repository, { run: params.id, job: query.job }),
  }));
  app.bindRepository(listSecrets, async ({ repository, query }) => {
    const { items, total } = await secrets.list({ repository }, query);
    return { body: items, total };
  });
  app.bindRepository(putSecret, async ({ actor, repository, params, body }) =>
    answer(await secrets.put(actor, { repository }, { ...body, name: params.name })),
  );
  app.bindRepository(deleteSecret, ({ actor, repository, params }) =>
    secrets.remove(actor, { repository }, params.name),
  );
  app.bindRepository(listSecretUses, async ({ repository, params, query }) => {
    const { items, total } = await secrets.uses({ repository }, params.name, query);
    return { body: items, total };
  });
  registerEnvironmentSecrets(app, secrets);
  registerOrganizationSecrets(app, secrets);
  registerInstanceSecrets(app, secrets);
}

function registerEnvironmentSecrets(app: RouteBinder, secrets: SecretService): void {
  app.bindRepository(listEnvironmentSecrets, async ({ repository, params, query }) => {
    const { items, total } = await secrets.list({ repository, environment: params.environment }, query);
    return { body: items, total };
  });
  app.bindRepository(putEnvironmentSecret, async ({ actor, repository, params, body }) => {
    const { name, environment } = params;
    return answer(await secrets.put(actor, { repository, environment }, { ...body, name }));
  });
  app.bindRepository(deleteEnvironmentSecret, ({ actor, repository, params }) =>
    secrets.remove(actor, { repository, environment: params.environment }, params.name),
  );
  app.bindRepository(listEnvironmentSecretUses, async ({ repository, params, query }) => {
    const { name, environment } = params;
    const { items, total } = await secrets.uses({ repository, environment }, name, query);
    return { body: items, total };
  });
}

function registerOrganizationSecrets(app: RouteBinder, secrets: SecretService): void {
  app.bindOrganization(listOrganizationSecrets, async ({ organization, query }) => {
    const { items, total } = await secrets.list({ organization }, query);
    return { body: items, total };
  });
  app.bindOrganization(putOrganizationSecret, async ({ actor, organization, params, body }) =>
    answer(await secrets.put(actor, { organization }, { ...body, name: params.name })),
  );
  app.bindOrganization(deleteOrganizationSecret, ({ actor, organization, params }) =>
    secrets.remove(actor, { organization }, params.name),
  );
  app.bindOrganization(listOrganizationSecretUses, async ({ organization, params, query }) => {
    const { items, total } = await secrets.uses({ organization }, params.name, query);
    return { body: items, total };
  });
}

function registerInstanceSecrets(app: RouteBinder, secrets: SecretService): void {
  app.bind(listInstanceSecrets, async ({ query }) => {
    const { items, total } = await secrets.list("instance", query);
    return { body: items, total };
  });
  app.bind(putInstanceSecret, async ({ actor, params, body }) =>
    answer(await secrets.put(actor, "instance", { ...body, name: params.name })),
  );
  app.bind(deleteInstanceSecret, ({ actor, params }) => secrets.remove(actor, "instance", params.name));
  app.bind(listInstanceSecretUses, async ({ params, query }) => {
    const { items, total } = await secrets.uses("instance", params.name, query);
    return { body: items, total };
  });
}

function answer({ secret, existed }: StoredSecret) {
  return { body: secret, location: secret.url, existed };
}
