/** One dependency in a manifest or lock file. */
import type { DependencyScope } from "@forgeline/schemas/statistics/dependencies.ts";

export interface Dependency {
  name: string;
  /** The required version, such as `^1.2.0`; null if the file does not say. */
  requirement: string | null;
  /** The resolved version; null if the file does not say. */
  version: string | null;
  /** A direct dependency of the project. */
  direct: boolean;
  scope: DependencyScope;
  /** Positions, in the same list, of those that it needs itself. */
  requires: number[];
}

/** The file's content does not match its name; the message is for its authors. */
export class UnreadableManifest extends Error {}

export type Json = Readonly<Record<string, unknown>>;

/** A table of the file; empty where there is none. Throws `UnreadableManifest` for anything else. */
export function tableOf(value: unknown, what: string): Json {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Json;
  throw new UnreadableManifest(`${what} is not a table.`);
}

/** A list of the file; empty where there is none. Throws `UnreadableManifest` for anything else. */
export function listOf(value: unknown, what: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new UnreadableManifest(`${what} is not a list.`);
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

export function wanted(name: string, requirement: string | null, scope: DependencyScope): Dependency {
  return { name, requirement, version: null, direct: true, scope, requires: [] };
}

export function locked(name: string, version: string | null, scope: DependencyScope = "runtime"): Dependency {
  return { name, requirement: null, version, direct: false, scope, requires: [] };
}
