/** Addresses of what references name, from the root of the instance, and back. */
import type { Reference } from "./find-references.ts";
import type { TextPlace } from "./place.ts";

/** Undefined if the text stands in no repository and the reference names none. */
export function referenceAddress(reference: Reference, place: TextPlace): string | undefined {
  if (reference.kind === "user") return `/${reference.name}`;
  if (reference.kind === "team") {
    const [organization = "", ...teams] = reference.name.split("/");
    return `/orgs/${organization}/teams/${teams.join("/")}`;
  }
  const repository =
    "repository" in reference ? (reference.repository ?? place.repository) : place.repository;
  if (repository === undefined) return undefined;
  switch (reference.kind) {
    case "issue":
      return `/${repository}/issues/${reference.number}`;
    case "merge_request":
      return `/${repository}/merge-requests/${reference.number}`;
    case "commit":
      return `/${repository}/commit/${reference.sha}`;
    case "line":
      return `/${repository}/blob/${encodeURIComponent(place.ref ?? "HEAD")}/${encodePath(reference.path)}${linesOf(reference)}`;
  }
}

const pathOfPage =
  /^\/([A-Za-z0-9_][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99})\/(issues|merge-requests|commit)\/([0-9a-f]{1,64})\/?(?:[?#]|$)/;

/** Of a full address of this instance; undefined for all others. */
export function referenceInAddress(href: string, { instance }: TextPlace): Reference | undefined {
  if (instance === undefined || !href.startsWith(`${instance}/`)) return undefined;
  const [, repository, kind, name = ""] = pathOfPage.exec(href.slice(instance.length)) ?? [];
  if (repository === undefined) return undefined;
  if (kind === "commit") return /^[0-9a-f]{7,64}$/.test(name) ? { kind, repository, sha: name } : undefined;
  if (!/^[1-9]\d{0,9}$/.test(name)) return undefined;
  return { kind: kind === "issues" ? "issue" : "merge_request", repository, number: Number(name) };
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function linesOf({ from, to }: { from: number; to: number }): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}
