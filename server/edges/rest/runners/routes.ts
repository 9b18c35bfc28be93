/** Binds the operations about runners. */
import * as contracts from "@forgeline/schemas/runners/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  presentRegistrationToken,
  presentRunner,
  presentRunnerWithJobs,
  type RunnerService,
} from "../../../domains/pipelines/domain.ts";

export interface RunnerRouteDeps {
  runners: RunnerService;
  addresses: Pick<Addresses, "baseUrl" | "webUrl" | "runnerUrl">;
  config: { runners: { unreachableMs: number } };
}

export function registerRunnerRoutes(app: RouteBinder, deps: RunnerRouteDeps): void {
  registerRegistration(app, deps);
  const { runners, addresses } = deps;
  const place = { ...addresses, unreachableMs: deps.config.runners.unreachableMs };
  app.bind(contracts.listRunners, async ({ query }) => {
    const { rows, total } = await runners.list(null, query);
    return { body: rows.map((row) => presentRunner(row, place)), total };
  });
  app.bindRepository(contracts.listRepositoryRunners, async ({ query, repository }) => {
    const { rows, total } = await runners.list({ repository }, query);
    return { body: rows.map((row) => presentRunner(row, place)), total };
  });
  app.bindOrganization(contracts.listOrganizationRunners, async ({ query, organization }) => {
    const { rows, total } = await runners.list({ organization }, query);
    return { body: rows.map((row) => presentRunner(row, place)), total };
  });
  app.bind(contracts.getRunner, async ({ actor, params }) => ({
    body: presentRunnerWithJobs(await runners.show(actor, params.id), place),
  }));
  app.bind(contracts.updateRunner, async ({ actor, params, body }) => ({
    body: presentRunner(await runners.update(actor, params.id, body), place),
  }));
  app.bind(contracts.deleteRunner, async ({ actor, params }) => runners.remove(actor, params.id));
  app.bind(contracts.drainRunner, async ({ actor, params, body }) => ({
    body: presentRunner(await runners.drain(actor, params.id, body), place),
  }));
  app.bind(contracts.resumeRunner, async ({ actor, params }) => ({
    body: presentRunner(await runners.resume(actor, params.id), place),
  }));
}

function registerRegistration(app: RouteBinder, { runners, addresses }: RunnerRouteDeps): void {
  app.bind(contracts.registerRunner, async ({ actor, body }) => {
    const registered = await runners.register(actor, body);
    return {
      body: { ...registered, connect_url: addresses.runnerUrl },
      location: `${addresses.baseUrl}/runners/${registered.id}`,
    };
  });
  app.bind(contracts.createRunnerRegistrationToken, async ({ actor, body }) => {
    const created = await runners.createRegistrationToken(actor, null, body);
    const shown = presentRegistrationToken(created, null, addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(
    contracts.createRepositoryRunnerRegistrationToken,
    async ({ actor, body, repository }) => {
      const created = await runners.createRegistrationToken(actor, { repository }, body);
      const shown = presentRegistrationToken(created, { repository }, addresses);
      return { body: shown, location: shown.url };
    },
  );
  app.bindOrganization(
    contracts.createOrganizationRunnerRegistrationToken,
    async ({ actor, body, organization }) => {
      const created = await runners.createRegistrationToken(actor, { organization }, body);
      const shown = presentRegistrationToken(created, { organization }, addresses);
      return { body: shown, location: shown.url };
    },
  );
}
