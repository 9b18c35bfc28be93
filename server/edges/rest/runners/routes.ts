/** Binds the operations about runners. */
import * as contracts from "@forgeline/schemas/runners/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../../domains/policy/domain.ts";
import {
  presentRunner,
  type RegistrationTokenRow,
  type RunnerRow,
  type RunnerService,
} from "../../../domains/pipelines/domain.ts";

export interface RunnerRouteDeps {
  runners: RunnerService;
  addresses: Pick<Addresses, "baseUrl" | "webUrl" | "runnerUrl">;
  config: { runners: { unreachableMs: number } };
}

export function registerRunnerRoutes(app: RouteBinder, deps: RunnerRouteDeps): void {
  const { runners, addresses } = deps;
  const show = (row: RunnerRow) =>
    presentRunner(row, { ...addresses, unreachableMs: deps.config.runners.unreachableMs });
  const tokenAnswer = (
    { row, token }: { row: RegistrationTokenRow; token: string },
    repository: RepositoryRef | null,
  ) => {
    const created = row.created_at.toISOString();
    const url = `${addresses.baseUrl}/runners/registration-tokens/${row.id}`;
    return {
      body: {
        id: row.id,
        token,
        repository: repository && `${repository.owner}/${repository.name}`,
        uses: row.uses_left,
        expires_at: row.expires_at.toISOString(),
        url,
        web_url: `${addresses.webUrl}/runners`,
        created_at: created,
        updated_at: created,
      },
      location: url,
    };
  };

  app.bind(contracts.registerRunner, async ({ actor, body }) => {
    const registered = await runners.register(actor, body);
    return {
      body: { ...registered, connect_url: addresses.runnerUrl },
      location: `${addresses.baseUrl}/runners/${registered.id}`,
    };
  });
  app.bind(contracts.createRunnerRegistrationToken, async ({ actor, body }) =>
    tokenAnswer(await runners.createRegistrationToken(actor, null, body), null),
  );
  app.bindRepository(contracts.createRepositoryRunnerRegistrationToken, async ({ actor, body, repository }) =>
    tokenAnswer(await runners.createRegistrationToken(actor, repository, body), repository),
  );
  app.bind(contracts.listRunners, async ({ query }) => {
    const { rows, total } = await runners.list(null, query);
    return { body: rows.map(show), total };
  });
  app.bindRepository(contracts.listRepositoryRunners, async ({ query, repository }) => {
    const { rows, total } = await runners.list(repository.id, query);
    return { body: rows.map(show), total };
  });
  app.bind(contracts.getRunner, async ({ actor, params }) => ({
    body: show(await runners.get(actor, params.id)),
  }));
  app.bind(contracts.updateRunner, async ({ actor, params, body }) => ({
    body: show(await runners.update(actor, params.id, body)),
  }));
  app.bind(contracts.deleteRunner, async ({ actor, params }) => runners.remove(actor, params.id));
  app.bind(contracts.drainRunner, async ({ actor, params }) => ({
    body: show(await runners.setDraining(actor, params.id, true)),
  }));
  app.bind(contracts.resumeRunner, async ({ actor, params }) => ({
    body: show(await runners.setDraining(actor, params.id, false)),
  }));
}
