/** Where links and pictures of a text in Markdown lead: relative ones to files of the same repository at the same ref. */
import { idOf } from "@forgeline/markdown/sanitize-schema.ts";
import { decodePart } from "../contents/decode-part.ts";
import { fileAddress, rawAddress } from "../repositories/addresses.ts";

export interface MarkdownPlace {
  /** None for texts of organizations: paths in them lead nowhere. */
  repository?: { full_name: string; default_branch?: string | null } | undefined;
  /** `ORG/TEAM` or `ORG/PARENT/CHILD`, for texts on the board of a team. */
  team?: string | undefined;
  /** The default branch if it is not said. */
  ref?: string | undefined;
  /** The directory in which the file lies, empty for the top; undefined for a text that is no file. */
  directory?: string | undefined;
  /** Whether `#12`, `!34`, `@ada` and ids of commits become links: not in files, as at GitHub. */
  references?: boolean | undefined;
}

export type Target =
  | { kind: "within"; hash: string }
  | { kind: "file"; address: string; raw: string; path: string }
  | { kind: "outside"; address: string }
  /** No address that a page should lead to. */
  | { kind: "none" };

const outsideSchemes = new Set(["http:", "https:", "mailto:"]);
export function refOf({ ref, repository }: MarkdownPlace): string | undefined {
  return ref ?? repository?.default_branch ?? undefined;
}

interface TextOnPage {
  place: MarkdownPlace;
  textId: string;
}

export function targetOf(written: string | undefined, { place, textId }: TextOnPage): Target {
  if (written === undefined || written === "") return { kind: "none" };
  if (written.startsWith("#")) return { kind: "within", hash: idIn(textId, written.slice(1)) };
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(written)) return outside(written);
  const [beforeHash, hash] = split(written, "#");
  const [rawPath] = split(beforeHash, "?");
  const { repository, directory = "" } = place;
  const ref = refOf(place);
  const path = resolve(directory, decodePart(rawPath));
  if (path === undefined || !repository || ref === undefined) return { kind: "none" };
  const page = path === "" || rawPath.endsWith("/") ? "tree" : "blob";
  const suffix = hash === undefined ? "" : `#${/^L\d/.test(hash) ? hash : idIn("", hash)}`;
  return {
    kind: "file",
    path,
    address: `${fileAddress(repository, page, { ref, path })}${suffix}`,
    raw: rawAddress(repository, ref, path),
  };
}

function outside(written: string): Target {
  const url = URL.parse(written, window.location.origin);
  return url && outsideSchemes.has(url.protocol) ? { kind: "outside", address: url.href } : { kind: "none" };
}

/** People copy addresses of headings with the prefix. */
function idIn(textId: string, id: string): string {
  const prefix = idOf(textId, "");
  return id.startsWith(prefix) ? id : `${prefix}${id}`;
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
