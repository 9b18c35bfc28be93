/** Options of `docker create` that a job has keys for. */
import { present, type PlainMap } from "../plain.ts";

export interface ContainerOptions {
  user: string | null;
  resources: PlainMap;
  /** Those that have no counterpart, as they were written. */
  rest: string;
}

const option = /(?:^|\s)(--user|-u|--cpus|--memory|-m|--shm-size)[=\s]+("[^"]*"|'[^']*'|\S+)/g;

export function containerOptions(options: string): ContainerOptions {
  const found = new Map<string, string>();
  const rest = options.replace(option, (all: string, name: string, value: string) => {
    const text = value.replace(/^(["'])(.*)\1$/s, "$2");
    if (text.includes("${{") || (sizes.has(name) && sizeOf(text) === null)) return all;
    found.set(aliases[name] ?? name, text);
    return "";
  });
  const cpu = Number(found.get("--cpus"));
  return {
    user: found.get("--user") ?? null,
    resources: present({
      cpu: Number.isFinite(cpu) && cpu > 0 ? cpu : null,
      memory: sizeOf(found.get("--memory") ?? ""),
      shm: sizeOf(found.get("--shm-size") ?? ""),
    }),
    rest: rest.trim().split(/\s+/).join(" "),
  };
}

const aliases: Readonly<Record<string, string>> = { "-u": "--user", "-m": "--memory" };
const sizes: ReadonlySet<string> = new Set(["--memory", "-m", "--shm-size"]);

/** `2g` as `2Gi`: both count in powers of two. */
function sizeOf(text: string): string | null {
  const [, number, unit] = /^([0-9]+)([kmg])b?$/i.exec(text) ?? [];
  return number === undefined || unit === undefined ? null : `${number}${unit.toUpperCase()}i`;
}
