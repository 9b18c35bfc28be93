/** Addresses of files and commits, as `web_url` of the records has them: each part is encoded, so a ref is one part. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Named = Pick<Schemas["Repository"], "full_name">;

export type FilePage = "tree" | "blob" | "blame" | "commits" | "edit" | "new";

/** Of the top directory, unless a path is given. */
export function fileAddress(
  { full_name }: Named,
  page: FilePage,
  { ref, path = "" }: { ref: string; path?: string },
): string {
  return ["", full_name, page, encodeURIComponent(ref), ...encodeParts(path)].join("/");
}

export function commitAddress({ full_name }: Named, sha: string): string {
  return `/${full_name}/commit/${sha}`;
}

export function compareAddress({ full_name }: Named, base: string, head: string): string {
  return `/${full_name}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`;
}

/** The bytes of a file, from the API. */
export function rawAddress({ full_name }: Named, ref: string, path: string): string {
  return ["/api/v1/repos", full_name, "raw", encodeURIComponent(ref), ...encodeParts(path)].join("/");
}

/** All files as one download, from the API. */
export function archiveAddress({ full_name }: Named, format: "zipball" | "tarball", ref: string): string {
  return `/api/v1/repos/${full_name}/${format}/${encodeURIComponent(ref)}`;
}

/** All runs that have ended, one line of JSON each, from the API. */
export function runExportAddress({ full_name }: Named): string {
  return `/api/v1/repos/${full_name}/pipelines/export`;
}

function encodeParts(path: string): string[] {
  return path === "" ? [] : path.split("/").map(encodeURIComponent);
}
