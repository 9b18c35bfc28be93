/** Shortcuts that go to a page: `g`, then a letter. */
import { text } from "../text/general.ts";
import { text as repositories } from "../text/repositories.ts";
import type { NavigationLink } from "./navigation-links.ts";

export interface GoToShortcut extends NavigationLink {
  key: string;
}

const everywhere: readonly GoToShortcut[] = [
  { key: "h", to: "/", label: text.home },
  { key: "o", to: "/orgs", label: text.organizations },
  { key: "f", to: "/notifications", label: text.notifications },
  { key: "n", to: "/new", label: text.newRepository },
  { key: "u", to: "/settings", label: text.settings },
];

const inRepository: readonly GoToShortcut[] = [
  { key: "c", to: "", label: repositories.code },
  { key: "i", to: "/issues", label: repositories.issues },
  { key: "r", to: "/merge-requests", label: repositories.mergeRequests },
  { key: "p", to: "/pipelines", label: repositories.pipelines },
  { key: "m", to: "/commits", label: repositories.commits },
  { key: "b", to: "/branches", label: repositories.branches },
  { key: "t", to: "/tags", label: repositories.tags },
  { key: "a", to: "/statistics", label: repositories.statistics },
  { key: "s", to: "/settings", label: repositories.settings },
];

export function globalShortcuts(): readonly GoToShortcut[] {
  return everywhere;
}

/** `repository`: its full name. */
export function repositoryShortcuts(repository: string): GoToShortcut[] {
  return inRepository.map((shortcut) => ({ ...shortcut, to: `/${repository}${shortcut.to}` }));
}

/** Where `c` leads: the page that creates one of what the list or page at this address shows. */
export function newPageAt(pathname: string): string | undefined {
  return /^\/[^/]+\/[^/]+\/(?:issues|merge-requests)(?=\/\d+\/?$|\/?$)/.exec(pathname)?.[0].concat("/new");
}
