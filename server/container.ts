/**
 * Joins the domains of a process, each with what it may use: what stands further down knows nothing of what stands above.
 * Every role gets all services, and closes them; only servers start what they do by themselves.
 */
import type { Config } from "./config/config.ts";
import { createAccounts, type PasswordCost } from "./domains/accounts/domain.ts";
import { createAutomation } from "./domains/automation/domain.ts";
import { createCollaboration } from "./domains/collaboration/domain.ts";
import {
  collaborations,
  createHosting,
  createRepositoryAccess,
  createRepositoryCatalog,
  createVisibleNames,
} from "./domains/hosting/domain.ts";
import { createOperation } from "./domains/operation/domain.ts";
import { createOrganizationAccess, createOrganizations } from "./domains/organizations/domain.ts";
import { createPipelines } from "./domains/pipelines/domain.ts";
import { createPolicy } from "./domains/policy/domain.ts";
import { createUpkeep } from "./domains/upkeep/domain.ts";
import { listUpkeepTasks } from "./upkeep-tasks.ts";
import { listPeriodicTasks } from "./periodic-tasks.ts";
import { joinLifecycles } from "./platform/lifecycle.ts";
import { createPeriodicTasks } from "./platform/periodic-tasks.ts";
import { openPlatform, type Platform, type PlatformOptions } from "./platform/platform.ts";

export type Container = Awaited<ReturnType<typeof createContainer>>;

export interface ContainerOptions extends PlatformOptions {
  /** For tests, which hash many: less than passwords are worth. */
  passwordCost?: PasswordCost;
  /** For tests that begin a periodic task themselves. Default: all run. */
  runsTask?: (name: string) => boolean;
}

export async function createContainer(config: Config, options: ContainerOptions) {
  const platform = await openPlatform(config, options);
  const { db } = platform;
  const repositoryAccess = createRepositoryAccess(db);
  const organizationAccess = createOrganizationAccess(db);
  const visibleNames = createVisibleNames(db);
  const policy = createPolicy({ repositories: repositoryAccess, organizations: organizationAccess });
  const operation = createOperation({ config, platform });
  const { passwordCost } = options;
  const shared = { config, platform, policy, operation };
  const accounts = createAccounts({ ...shared, visibleNames, passwordCost });
  const repositoryCatalog = createRepositoryCatalog({ ...platform, visibleNames });
  const organizations = createOrganizations({ ...shared, accounts, collaborations, repositoryCatalog });
  const access = { repositoryAccess, organizationAccess, visibleNames };
  const endTeamGrants = organizations.teamGrants.revokeAll;
  const hosting = createHosting({ config, platform, policy, accounts, ...access, endTeamGrants });
  const pipelines = createPipelines({ ...shared, hosting });
  const below = { ...shared, accounts, hosting, pipelines };
  const collaboration = createCollaboration(below);
  const automation = createAutomation({ ...below, organizations, collaboration });
  const upkeepTasks = listUpkeepTasks({ operation, hosting, pipelines, collaboration, automation });
  const upkeep = createUpkeep({ config, platform, operation, hosting, pipelines, automation, upkeepTasks });
  // In the order in which they start.
  const domains = {
    operation,
    accounts,
    organizations,
    hosting,
    pipelines,
    collaboration,
    automation,
    upkeep,
  };
  const { runsTask = () => true } = options;
  const tasks = listPeriodicTasks({ platform, ...domains }).filter(({ name }) => runsTask(name));
  const periodicTasks = createPeriodicTasks(tasks, platform.logger);
  const lifecycles = [platform, ...Object.values(domains)].map((each) => each.lifecycle);
  const lifecycle = joinLifecycles([...lifecycles, periodicTasks]);
  return { config, platform, policy, ...domains, lifecycle, close: lifecycle.close };
}

/** What edges may know of a process: they ask services, and reach no database. */
export type EdgeContainer = Omit<Container, "platform"> & { platform: Omit<Platform, "db"> };

export function withoutDatabase(container: Container): EdgeContainer {
  const { db: _db, ...platform } = container.platform;
  return { ...container, platform };
}
