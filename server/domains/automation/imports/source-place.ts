/** Where a repository to import is: its API, its Git, and the name of its host. Git's address is derived, never read from an answer. */
import { isIP } from "node:net";
import type { ImportSource } from "@forgeline/schemas/imports/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";

export interface SourcePlace {
  apiUrl: string;
  host: string;
  gitUrl: string;
}

const usual: Record<ImportSource, string> = {
  github: "https://api.github.com",
  gitlab: "https://gitlab.com/api/v4",
};
const endings: Record<ImportSource, string> = { github: "/api/v3", gitlab: "/api/v4" };

/** Throws `validation_failed`. `mayDial`: whether a literal IP address is one that requests may go to. */
export function readPlace(
  { source, apiUrl, repository }: { source: ImportSource; apiUrl: string | undefined; repository: string },
  mayDial: (address: string) => boolean,
): SourcePlace {
  const url = new URL(apiUrl ?? usual[source]);
  const problem = problemOf(url, mayDial);
  if (problem !== undefined) throw invalidField("api_url", "invalid", problem);
  if (source === "github" && repository.split("/").length !== 2)
    throw invalidField("repository", "invalid", "A repository of GitHub is named `OWNER/NAME`.");
  const address = url.href.replace(/\/+$/, "");
  if (source === "github" && url.hostname === "api.github.com" && url.pathname === "/")
    return { apiUrl: address, host: "github.com", gitUrl: `https://github.com/${repository}.git` };
  const ending = endings[source];
  if (!address.endsWith(ending))
    throw invalidField("api_url", "invalid", `The address of the API must end in ${ending}.`);
  const gitUrl = `${address.slice(0, -ending.length)}/${repository}.git`;
  return { apiUrl: address, host: url.host, gitUrl };
}

function problemOf(url: URL, mayDial: (address: string) => boolean): string | undefined {
  if (url.protocol !== "https:") return "The address must begin with https://.";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "The address must be of the form https://HOST/PATH.";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !mayDial(host))
    return "This address is not public. An administrator can allow it with FORGELINE_OUTBOUND_ALLOW.";
  return undefined;
}
