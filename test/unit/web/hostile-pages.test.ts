/**
 * Addresses of the interface: `test/web/hostile.test.ts` visits every page, so one that is new stands in its list; and no owner's
 * name can hide one.
 */
import { expect, test, vi } from "vitest";
import { isReservedOwnerName } from "@forgeline/server/domains/accounts/users/names.ts";
import { otherPages, pagesWithNames } from "../../support/web/hostile-pages.ts";
import type { HostileWorld } from "../../support/web/hostile-world.ts";

interface Route {
  id?: string;
  path?: string;
  children?: Route[];
  lazy?: unknown;
}

// The routes alone need no browser, but what they import asks where it is.
vi.stubGlobal("window", { location: { origin: "https://localhost" } });
vi.stubGlobal("document", {
  cookie: "",
  visibilityState: "visible",
  addEventListener() {},
  querySelector: () => null,
});
// Not by their names: the compiler would read all pages without the browser's types.
const routesFile = new URL("../../../web/src/app/routes.tsx", import.meta.url).href;
const { routes }: { routes: Route[] } = await import(routesFile);
const rareFile = new URL("../../../web/src/app/fetch-routes.ts", import.meta.url).href;
interface Navigation {
  path: string;
  patch: (parent: string, children: Route[]) => void;
}
const { fetchRoutes }: { fetchRoutes(navigation: Navigation): Promise<void> } = await import(rareFile);
for (const path of ["/settings", "/orgs", "/new", "/-/admin", "/ada/code/settings", "/ada/code/statistics"])
  await fetchRoutes({
    path,
    patch: (parent, children) => routeNamed(routes, parent)?.children?.push(...children),
  });
const router: string = "react-router";
const { matchRoutes }: { matchRoutes(all: Route[], path: string): { route: Route }[] | null } = await import(
  router
);
vi.unstubAllGlobals();

/** Pages that are visited elsewhere, each with why it is not among them. */
const elsewhere: Readonly<Record<string, string>> = {
  "/-/admin/work/:id":
    "shows work of Temporal, which that instance has none of: test/web/administration.test.ts",
  "/-/imports/:id": "shows what another host has, which that instance has none of: test/web/imports.test.ts",
  "/:owner/:repo/settings/push-mirrors/:id":
    "shows what a target has, which that instance has none of: test/web/push-mirrors.test.ts",
  "/:owner/:repo/settings/schedules/:id":
    "shows what a pipeline file lists, which that instance has none of: test/web/schedules.test.ts",
  ...Object.fromEntries(
    ["/:owner/:repo/settings", "/orgs/:org"].flatMap((owner) =>
      ["/webhooks/:id", "/webhooks/:id/deliveries/:delivery"].map((path) => [
        `${owner}${path}`,
        "shows what a receiver answered: test/web/webhooks.test.ts",
      ]),
    ),
  ),
};

const visited = pathsOf({
  runPath: "/ada/code/pipelines/1",
  announcementId: "ann_1",
  runnerId: "rnr_1",
  testId: "test_1",
  boardId: "brd_1",
  clientId: "app_1",
  mailIds: ["mail_1"],
  code: { change: "0".repeat(40) },
} as unknown as HostileWorld);

function routeNamed(list: readonly Route[], id: string): Route | undefined {
  for (const route of list) {
    const found = route.id === id ? route : routeNamed(route.children ?? [], id);
    if (found) return found;
  }
  return undefined;
}

function pathsOf(world: HostileWorld): string[] {
  return [...pagesWithNames(world), ...otherPages(world)].map((path) => path.replace(/[?#].*$/, ""));
}

/** Addresses of all pages, as patterns: `/:owner/:repo/statistics`. */
function pagesOf(list: readonly Route[], before = ""): string[] {
  return list.flatMap((route) => {
    const path = `${before}/${route.path ?? ""}`.replaceAll(/\/+/g, "/");
    if (route.children) return pagesOf(route.children, path);
    return route.lazy === undefined ? [] : [path];
  });
}

function patternOf(path: string): string {
  const matches = matchRoutes(routes, path) ?? [];
  return `/${matches.map(({ route }) => route.path ?? "").join("/")}`.replaceAll(/\/+/g, "/");
}

const plain = (path: string) => path.replace(/(?<=.)\/$/, "");

test("each page of the interface is among those that are visited with hostile names in them", () => {
  const seen = new Set(visited.map((path) => plain(patternOf(path))));
  const pages = pagesOf(routes).map(plain);
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => !seen.has(page)).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
});

test("the first part of each address is a name that no owner can have", () => {
  const first = new Set(pagesOf(routes).map((page) => page.split("/")[1] ?? ""));
  const words = [...first].filter((part) => /^[a-z]/.test(part));
  expect(words).toContain("settings");
  expect(words.filter((word) => !isReservedOwnerName(word))).toEqual([]);
  expect(isReservedOwnerName("ada")).toBe(false);
});
