/** What holds for every file, whatever it was made of: jobs that exist, and expressions only where ours have them. */
import { placeholder } from "./placeholder.ts";
import { textOf, type Plain, type PlainMap } from "./plain.ts";

/** Keys whose values, and all in them, may hold `${{ }}`. */
const withExpressions: ReadonlySet<string> = new Set(
  "name image env runner when if matrix concurrency outputs cache reports environment trigger".split(" "),
);

export function settle(file: PlainMap): PlainMap {
  const jobs = (file.jobs ?? {}) as Record<string, PlainMap>;
  const named = Object.keys(jobs).length > 0 ? jobs : { "not-converted": emptyJob() };
  for (const job of Object.values(named))
    if (Array.isArray(job.needs)) job.needs = job.needs.map((need) => settleNeed(need, named));
  const { name, ...rest }: PlainMap = { ...file, jobs: named };
  return {
    ...(name === undefined || name === "" ? {} : { name: escaped(name, null) }),
    ...(escaped(rest, null) as PlainMap),
  };
}

function emptyJob(): PlainMap {
  return { image: "buildpack-deps:noble", steps: [placeholder("This file")] };
}

/** A filter that matches no combination of the other job would be an error. */
function settleNeed(need: Plain, jobs: Readonly<Record<string, PlainMap>>): Plain {
  if (need === null || typeof need !== "object" || Array.isArray(need) || need.matrix === undefined)
    return need;
  const { matrix: wanted, ...rest } = need;
  const matrix = jobs[textOf(need.job)]?.matrix;
  return matrix !== undefined && hasCombination(matrix, wanted as PlainMap) ? need : rest;
}

function hasCombination(matrix: Plain, wanted: PlainMap): boolean {
  if (matrix === null || typeof matrix !== "object" || Array.isArray(matrix)) return false;
  const pairs = Object.entries(wanted);
  const includes = (Array.isArray(matrix.include) ? matrix.include : []) as PlainMap[];
  const inLists = pairs.every(([name, value]) => {
    const list = matrix[name];
    return Array.isArray(list) && list.map(textOf).includes(textOf(value));
  });
  return (
    inLists || includes.some((item) => pairs.every(([name, value]) => textOf(item[name]) === textOf(value)))
  );
}

function escaped(value: Plain, key: string | null): Plain {
  if (typeof value === "string") return value.replaceAll("${{", "$ {{");
  if (Array.isArray(value)) return value.map((item) => escaped(item, key));
  if (value === null || typeof value !== "object") return value;
  // A name without a letter is shown as none.
  const kept = Object.entries(value).filter(([name, inner]) => name !== "name" || inner !== "");
  const pairs = kept.map(([name, inner]) => [name, isFree(name, key, inner) ? inner : escaped(inner, name)]);
  return Object.fromEntries(pairs) as PlainMap;
}

/** A job, service or input may be called `image` too; then what it holds is judged by its own keys. */
function isFree(name: string, parent: string | null, value: Plain): boolean {
  if (name === "when" && typeof value !== "string") return false;
  return withExpressions.has(name) && !["jobs", "services", "inputs"].includes(parent ?? "");
}
