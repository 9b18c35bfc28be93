/** Binds the operations on shells into jobs. */
import { endKeptJobs, keepJobsOpen, openShell } from "@forgeline/schemas/shells/routes.ts";
import { shellProtocol } from "@forgeline/schemas/shells/socket.ts";
import type { JobKeeping, ShellService } from "../../../domains/pipelines/domain.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RouteBinder } from "../route-binder.ts";

export interface ShellRoutesDeps {
  shells: ShellService;
  jobKeeping: JobKeeping;
  addresses: Addresses;
}

export function registerShellRoutes(
  app: RouteBinder,
  { shells, jobKeeping, addresses }: ShellRoutesDeps,
): void {
  app.bindRepository(openShell, async ({ actor, repository, params, body }) => {
    const opened = await shells.open(actor, repository, { run: params.id, job: params.job, ...body });
    const { pipelineId, ticket, expiresAt, ...shell } = opened;
    const path = `/repos/${repository.owner}/${repository.name}/pipelines/${pipelineId}/shells/${shell.id}/socket`;
    const socketUrl = `${addresses.baseUrl.replace(/^http/, "ws")}${path}`;
    const protocols = [shellProtocol, `ticket.${ticket}`];
    return {
      body: { ...shell, ticket, protocols, socket_url: socketUrl, expires_at: expiresAt.toISOString() },
      location: socketUrl,
    };
  });
  app.bindRepository(keepJobsOpen, async ({ actor, repository, params, body }) => ({
    body: await jobKeeping.keep(actor, repository, { id: params.id, ...body }),
  }));
  app.bindRepository(endKeptJobs, ({ actor, repository, params, query }) =>
    jobKeeping.end(actor, repository, { id: params.id, job: query.job }),
  );
}
