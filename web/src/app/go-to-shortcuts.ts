/** Where the key `g` and a letter after it lead. */
import { text } from "../text/general.ts";
import { text as repositories } from "../text/repositories.ts";
import type { Place } from "./navigation-links.ts";

export interface Jump extends Place {
  key: string;
}

const everywhere: readonly Jump[] = [
  { key: "h", to: "/", label: text.home },
  { key: "o", to: "/orgs", label: text.organizations },
  { key: "n", to: "/new", label: text.newRepository },
  { key: "u", to: "/settings", label: text.settings },
];

const inRepository: readonly Jump[] = [
  { key: "c", to: "", label: repositories.code },
  { key: "p", to: "/pipelines", label: repositories.pipelines },
  { key: "m", to: "/commits", label: repositories.commits },
  { key: "b", to: "/branches", label: repositories.branches },
  { key: "t", to: "/tags", label: repositories.tags },
  { key: "i", to: "/insights", label: repositories.insights },
  { key: "s", to: "/settings", label: repositories.settings },
];

export function jumpsEverywhere(): readonly Jump[] {
  return everywhere;
}

/** `repository`: its full name. */
export function jumpsIn(repository: string): Jump[] {
  return inRepository.map((jump) => ({ ...jump, to: `/${repository}${jump.to}` }));
}
