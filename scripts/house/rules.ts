/** Which arrows the server's house allows (`docs/architecture/house.md`). */
import { Visitor } from "vite";
import { parseModule } from "../parse-module.ts";
import type { Arrow } from "./arrows.ts";

interface Place {
  room: "edges" | "domains" | "platform" | "config" | "top";
  /** Of an edge or a domain. */
  name?: string;
}

/** Machinery that edges share; it belongs to none of them. */
const sharedByEdges = new Set(["http", "openapi"]);
/** Where edges are joined: these see the container, and each other. */
const joints = new Set([
  "server/edges/http-server.ts",
  "server/edges/rest/register-routes.ts",
  "server/edges/git-ssh/open-ssh-server.ts",
]);
/** Edges that ask hosting who may do what: each transport would otherwise judge the same request by itself. */
const asksHosting = new Set(["git-http", "git-ssh", "lfs"]);
/** What edges parse requests with. */
const parsesRequests = new Set(
  ["field-errors", "json-body", "parse-input"].map((name) => `server/platform/http/${name}.ts`),
);
/** What the configuration is read with. */
const readsSettings = ["server/platform/network/", "server/platform/secret.ts"];

/** Why the arrow is not allowed, in words for whoever drew it; undefined for one that is. */
export function problemOf({ from, to }: Arrow): string | undefined {
  const [a, b] = [locate(from), locate(to)];
  if (a.room === "edges" && to.startsWith("server/platform/db/")) return "an edge reaches no database";
  if (a.room === "edges" && asksHosting.has(a.name ?? "") && b.name === "policy")
    return "edges of Git and LFS ask hosting who may do what";
  if (a.room === "top" || joints.has(from)) return ofDomains(a, b, to);
  if (b.room === "top") return "only where edges are joined is the container known";
  if (a.room === "config") return ofConfig(b, to);
  if (a.room === "platform") return ofPlatform(b);
  if (b.room === "edges") return ofEdges(a, b);
  if (a.room === "domains" && parsesRequests.has(to)) return "a domain parses no request";
  return ofDomains(a, b, to);
}

const ofDatabases = new Set(["db", "tx", "Database", "Queryable", "Transaction", "transaction"]);

/** What an edge calls a database by, in its source: none may be handed to it under any name of ours. */
export function databaseNamesIn(file: string, source: string): string[] {
  return namesIn(file, source, ofDatabases);
}

/** What an exchange of Git is judged and opened by, which `gitAccess` and `lfs.admission` of hosting do. */
const ofJudging = new Set([
  "policy",
  "authorizer",
  "Authorizer",
  "authorizeRepository",
  "requirement",
  "requirements",
  "Requirement",
  "lfsRequirements",
  "storage",
  "RepositoryStorage",
  "pushes",
  "PushService",
  "assertRoom",
  "exchangeSlots",
  "GitSlots",
  "claimantOf",
  "withinSlot",
  "MakeRequestMemory",
]);

/** What an edge of Git or LFS judges a request by, in its source; none in other files. */
export function judgingNamesIn(file: string, source: string): string[] {
  const { room, name = "" } = locate(file);
  return room === "edges" && asksHosting.has(name) ? namesIn(file, source, ofJudging) : [];
}

function namesIn(file: string, source: string, names: ReadonlySet<string>): string[] {
  const { program } = parseModule(file, source);
  const found = new Set<string>();
  new Visitor({
    Identifier: ({ name }) => {
      if (names.has(name)) found.add(name);
    },
  }).visit(program);
  return [...found];
}

function ofConfig(b: Place, to: string): string | undefined {
  if (b.room === "config" || readsSettings.some((start) => to.startsWith(start))) return undefined;
  return "the configuration knows nothing of what it configures";
}

function ofPlatform(b: Place): string | undefined {
  if (b.room === "platform" || b.room === "config") return undefined;
  return "platform/ knows no domain and no edge";
}

function ofEdges(a: Place, b: Place): string | undefined {
  if (a.room !== "edges") return "a domain knows no edge";
  if (a.name === b.name || sharedByEdges.has(b.name ?? "")) return undefined;
  return "an edge does not use another edge; what they share lies in edges/http";
}

function ofDomains(a: Place, b: Place, to: string): string | undefined {
  if (b.room !== "domains" || (a.room === "domains" && a.name === b.name)) return undefined;
  return to.endsWith("/domain.ts") ? undefined : "a domain is reached through its domain.ts alone";
}

function locate(path: string): Place {
  const [, room = "", name = ""] = path.split("/");
  if (room === "edges") return { room, name: name.endsWith(".ts") ? "" : name };
  if (room === "domains") return { room, name };
  return { room: room === "platform" || room === "config" ? room : "top" };
}

/** The domain of a file, undefined for one of another room. */
export function domainOf(path: string): string | undefined {
  const { room, name } = locate(path);
  return room === "domains" ? name : undefined;
}
