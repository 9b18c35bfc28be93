/** Values that all systems write alike, as ours: durations, globs of files, versions. */
const units: Readonly<Record<string, string>> = { s: "s", m: "m", h: "h", d: "d", w: "w" };

/** `3 hours 30 minutes`, `1h`, `30 mins`, `1 week`, `90` (seconds) as `3h30m`. null: not a duration that ours can be. */
export function duration(text: string): string | null {
  const plain = text.trim().toLowerCase();
  if (/^[0-9]+$/.test(plain)) return `${plain}s`;
  let result = "";
  const rest = plain.replace(
    /([0-9]+)\s*([a-z]+)[\s,]*(?:and\s+)?/g,
    (_all, number: string, unit: string) => {
      const letter = /^mo|^mth/.test(unit) ? null : units[unit.charAt(0)];
      if (unit.startsWith("y")) result += `${Number(number) * 365}d`;
      else if (letter === null) result += `${Number(number) * 30}d`;
      else if (letter === "w") result += `${Number(number) * 7}d`;
      else if (letter === undefined) return "?";
      else result += `${number}${letter}`;
      return "";
    },
  );
  return rest === "" && result !== "" ? result : null;
}

/** Minutes as the largest unit that divides them. */
export function minutes(text: string): string | null {
  const number = Number(text);
  if (!Number.isFinite(number) || number <= 0) return null;
  if (!Number.isInteger(number)) return `${Math.max(1, Math.round(number * 60))}s`;
  return number % 60 === 0 ? `${number / 60}h` : `${number}m`;
}

/** A path of artifacts that lies in the workspace, as ours writes it; null: it does not. */
export function workspacePath(text: string): string | null {
  const negated = text.startsWith("!");
  const path = text
    .replace(/^!/, "")
    .replace(/^\$\{?(?:CI_PROJECT_DIR|CI_WORKSPACE|GITHUB_WORKSPACE|BITBUCKET_CLONE_DIR)\}?\//, "")
    .replace(/^(?:\.?\/workspace\/|\.\/)+/, "")
    .replace(/^\/workspace\//, "");
  if (path === "" || path === "." || path === "./") return "**";
  if (path.startsWith("/") || path.startsWith("~") || path.split("/").includes("..") || path.length > 500)
    return null;
  if (/^\$\{?[A-Za-z_]/.test(path) || path.includes("${")) return null;
  return `${negated ? "!" : ""}${path.endsWith("/") ? `${path}**` : path}`;
}

/** `22.x`, `^22`, `>=22.1` as the tag of an image: `22`, `22`, `22.1`. */
export function imageVersion(text: string): string {
  if (text.includes("${{")) return text;
  return text
    .trim()
    .replace(/^[\^~>=v\s]+/, "")
    .replace(/(?:\.[xX*])+$/, "")
    .split(/\s/)[0]!
    .replace(/^lts\/.*$/, "lts")
    .replace(/[^A-Za-z0-9._-]/g, "");
}
