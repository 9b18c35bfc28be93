/** Names of other systems as ours: ids of jobs, stages and steps, variables, texts that are shown. */
import { secretNamePattern } from "@forgeline/schemas/pipeline-file/file-secrets.ts";
import { idPattern } from "@forgeline/schemas/pipeline-file/file-values.ts";

export interface Ids {
  /** The same for the same name, and different for different names. */
  of(name: string): string;
  has(name: string): boolean;
}

export function createIds(): Ids {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  return {
    has: (name) => ids.has(name),
    of(name) {
      const known = ids.get(name);
      if (known !== undefined) return known;
      const base = slug(name);
      let id = base;
      for (let n = 2; used.has(id); n += 1) id = `${base.slice(0, 58)}-${n}`;
      ids.set(name, id);
      used.add(id);
      return id;
    },
  };
}

/** Lower case, with `-` for all that an id cannot hold. */
export function slug(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+|-+$/g, "")
    .slice(0, 63);
  return idPattern.test(id) ? id : `job-${id}`.slice(0, 63).replace(/-+$/, "");
}

/** Upper case, with `_` for all that a variable cannot hold. */
export function variableName(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase()
    .slice(0, 60);
  return /^[A-Z]/.test(name) && !name.startsWith("CI_") ? name : `VALUE_${name}`;
}

/** Whether the file may set it: the server sets all that begin with `CI_`. */
export function isVariable(name: string): boolean {
  return secretNamePattern.test(name) && !name.startsWith("CI_");
}

/** A name of a matrix may hold no `-`. */
export function matrixName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, "_").slice(0, 63);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 63);
}

/** One line of at most 200 characters. */
export function title(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** Of a system without `${{ }}`. */
export function plainTitle(text: string): string {
  return title(text.replaceAll("${{", "$ {{"));
}

/** What names of artifacts can hold; expressions stay. */
export function artifactName(text: string): string {
  return (
    plainParts(text)
      .replace(/^[-.]+/, "")
      .slice(0, 128) || "files"
  );
}

/** What names of environments can hold; expressions stay. */
export function environmentName(text: string): string {
  const name = plainParts(text.trim()).replace(/^[-._]+|-+$/g, "");
  return (name.includes("${{") ? name : name.slice(0, 100)) || "production";
}

function plainParts(text: string): string {
  const parts = text.split(/(\$\{\{.*?\}\})/);
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(/[^A-Za-z0-9._-]+/g, "-"))).join("");
}
