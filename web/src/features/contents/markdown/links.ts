/** Where links and pictures of a Markdown file lead: relative ones to files of the same repository at the same ref. */
import { fileAddress, rawAddress } from "../../repositories/addresses.ts";
import { decodePart } from "../decode-part.ts";

export interface MarkdownPlace {
  repository: { full_name: string };
  ref: string;
  /** The directory in which the file lies; empty for the top. */
  directory: string;
}

export type Target =
  | { kind: "within"; hash: string }
  | { kind: "file"; address: string; raw: string; path: string }
  | { kind: "outside"; address: string }
  /** No address that a page should lead to. */
  | { kind: "none" };

const outsideSchemes = new Set(["http:", "https:", "mailto:"]);
/** Our sanitizer puts this before every id that somebody wrote. */
export const idPrefix = "user-content-";

export function targetOf(written: string | undefined, place: MarkdownPlace): Target {
  if (written === undefined || written === "") return { kind: "none" };
  if (written.startsWith("#")) return { kind: "within", hash: withPrefix(written.slice(1)) };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) return outside(written);
  const [beforeHash, hash] = split(written, "#");
  const [rawPath] = split(beforeHash, "?");
  const path = resolve(place.directory, decodePart(rawPath));
  if (path === undefined) return { kind: "none" };
  const page = path === "" || rawPath.endsWith("/") ? "tree" : "blob";
  const suffix = hash === undefined ? "" : `#${/^L\d/.test(hash) ? hash : withPrefix(hash)}`;
  return {
    kind: "file",
    path,
    address: `${fileAddress(place.repository, page, { ref: place.ref, path })}${suffix}`,
    raw: rawAddress(place.repository, place.ref, path),
  };
}

/** Of a heading's text, as GitHub makes them. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function outside(written: string): Target {
  const url = URL.parse(written, window.location.origin);
  return url && outsideSchemes.has(url.protocol) ? { kind: "outside", address: url.href } : { kind: "none" };
}

function withPrefix(id: string): string {
  return id.startsWith(idPrefix) ? id : `${idPrefix}${id}`;
}

/** Undefined for what lies above the repository. */
function resolve(directory: string, path: string): string | undefined {
  const parts = path.startsWith("/") ? [] : directory.split("/").filter(Boolean);
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
