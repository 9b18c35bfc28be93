/** Binds the operations on variables of environments, repositories, organizations and the instance: the same for all. */
import {
  deleteEnvironmentVariable,
  deleteInstanceVariable,
  deleteOrganizationVariable,
  deleteVariable,
  listEnvironmentVariables,
  listInstanceVariables,
  listOrganizationVariables,
  listVariables,
  setEnvironmentVariable,
  setInstanceVariable,
  setOrganizationVariable,
  setVariable,
} from "@forgeline/schemas/variables/routes.ts";
import type { VariableService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

const instance = { instance: true } as const;

export function registerVariableRoutes(
  app: RouteBinder,
  { variables }: { variables: VariableService },
): void {
  app.bindRepository(listVariables, async ({ repository, query }) => {
    const { items, total } = await variables.list({ repository }, query);
    return { body: items, total };
  });
  app.bindRepository(setVariable, async ({ actor, repository, params, body }) => ({
    body: await variables.set(actor, { repository }, { name: params.name, value: body.value }),
  }));
  app.bindRepository(deleteVariable, ({ actor, repository, params }) =>
    variables.remove(actor, { repository }, params.name),
  );
  registerEnvironmentVariables(app, variables);
  app.bindOrganization(listOrganizationVariables, async ({ organization, query }) => {
    const { items, total } = await variables.list({ organization }, query);
    return { body: items, total };
  });
  app.bindOrganization(setOrganizationVariable, async ({ actor, organization, params, body }) => ({
    body: await variables.set(actor, { organization }, { name: params.name, value: body.value }),
  }));
  app.bindOrganization(deleteOrganizationVariable, ({ actor, organization, params }) =>
    variables.remove(actor, { organization }, params.name),
  );
  app.bind(listInstanceVariables, async ({ query }) => {
    const { items, total } = await variables.list(instance, query);
    return { body: items, total };
  });
  app.bind(setInstanceVariable, async ({ actor, params, body }) => ({
    body: await variables.set(actor, instance, { name: params.name, value: body.value }),
  }));
  app.bind(deleteInstanceVariable, ({ actor, params }) => variables.remove(actor, instance, params.name));
}

function registerEnvironmentVariables(app: RouteBinder, variables: VariableService): void {
  app.bindRepository(listEnvironmentVariables, async ({ repository, params, query }) => {
    const { items, total } = await variables.list({ repository, environment: params.environment }, query);
    return { body: items, total };
  });
  app.bindRepository(setEnvironmentVariable, async ({ actor, repository, params, body }) => {
    const { name, environment } = params;
    return { body: await variables.set(actor, { repository, environment }, { name, value: body.value }) };
  });
  app.bindRepository(deleteEnvironmentVariable, ({ actor, repository, params }) =>
    variables.remove(actor, { repository, environment: params.environment }, params.name),
  );
}
