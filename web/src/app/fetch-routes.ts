/** Addresses of pages that many visits never open: their table is fetched with the first one, so that others start sooner. */
import type { PatchRoutesOnNavigationFunction, RouteObject } from "react-router";
import { fetchPart } from "../api/fetch-part.ts";

/** Of the route below which all pages stand. */
export const pagesId = "pages";
/** Of the route below which those of a repository stand. */
export const repositoryId = "repository";

interface Rare {
  /** Where such addresses begin. */
  start: RegExp;
  parent: string;
  load: () => Promise<RouteObject[]>;
}

const rare: readonly Rare[] = [
  {
    start: /^\/settings(\/|$)/,
    parent: pagesId,
    load: async () => [(await import("./settings-routes.tsx")).settingsRoute],
  },
  {
    start: /^\/orgs(\/|$)/,
    parent: pagesId,
    load: async () => (await import("./organization-routes.tsx")).organizationRoutes,
  },
  {
    start: /^\/search(\/|$)/,
    parent: pagesId,
    load: async () => (await import("./search-routes.ts")).searchRoutes,
  },
  {
    start: /^\/(new|runners|-\/(imports|deleted|components))(\/|$)/,
    parent: pagesId,
    load: async () => (await import("./instance-routes.tsx")).instanceRoutes,
  },
  {
    start: /^\/-\/admin(\/|$)/,
    parent: pagesId,
    load: async () => [(await import("./administration-routes.tsx")).administrationRoute],
  },
  {
    start: /^\/[^/]+\/[^/]+\/(settings|transfer)(\/|$)/,
    parent: repositoryId,
    load: async () => (await import("./repository-settings-routes.ts")).repositorySettingsRoutes,
  },
  {
    start: /^\/[^/]+\/[^/]+\/(issues|boards|labels|milestones|merge-requests|merge-queue)(\/|$)/,
    parent: repositoryId,
    load: async () => (await import("./collaboration-routes.ts")).collaborationRoutes,
  },
  {
    start: /^\/[^/]+\/[^/]+\/(statistics|insights|caches)(\/|$)/,
    parent: repositoryId,
    load: async () => (await import("./statistics-routes.tsx")).statisticsRoutes,
  },
  {
    start: /^\/[^/]+\/[^/]+\/environments(\/|$)/,
    parent: repositoryId,
    load: async () => (await import("./environment-routes.ts")).environmentRoutes,
  },
];

/** For the router, before it goes to an address; safe to repeat. */
export const fetchRoutes: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  for (const { start, parent, load } of rare) if (start.test(path)) patch(parent, await fetchPart(load));
};
