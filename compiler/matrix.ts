/** Expands a matrix: every combination of its values, without the excluded ones, with the included ones. Pure. */
import type { MatrixValues, PlanNeed } from "@forgeline/schemas/pipeline-file/plan.ts";
import { atMost, defaultLimits, type HeldLimit } from "./held-limits.ts";
import { limits } from "./limits.ts";
import { quote } from "./suggest.ts";
import { hasExpression } from "./template.ts";

/** Values as texts, in the order of the file. */
export interface MatrixLists {
  values: readonly { name: string; list: readonly string[] }[];
  include: readonly MatrixValues[];
  exclude: readonly MatrixValues[];
}

/** Why there are no combinations, as a sentence without its full stop. */
export class MatrixProblem extends Error {
  /** The limit is the problem, not what the matrix says. */
  readonly isTooLarge: boolean;
  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/**
 * The first name varies slowest; each combination comes once. What `include` names extends each combination that has its values of
 * the matrix, and is a combination of its own if there is none. Throws `MatrixProblem`.
 */
export function combine(
  lists: MatrixLists,
  limit: HeldLimit = defaultLimits.matrix_combinations,
): MatrixValues[] {
  checkNames(lists);
  const product = productOf(lists, limit).filter(
    (one) => !lists.exclude.some((filter) => hasValues(one, filter)),
  );
  const own = lists.values.map(({ name }) => name);
  const added: MatrixValues[] = [];
  for (const include of lists.include) {
    const shared = Object.fromEntries(Object.entries(include).filter(([name]) => own.includes(name)));
    const matching = product.filter((one) => hasValues(one, shared));
    if (matching.length === 0) added.push({ ...include });
    for (const one of matching) Object.assign(one, include);
  }
  const all = withoutRepeated([...product, ...added]);
  if (all.length <= limit.value) return all;
  throw new MatrixProblem(`the matrix has ${all.length} combinations; ${atMost(limit)}`, true);
}

/** Whether the combination has all of these values. */
export function hasValues(combination: MatrixValues, wanted: MatrixValues): boolean {
  return Object.entries(wanted).every(([name, value]) => combination[name] === value);
}

/** Whether a need means the combination. One whose values are not known stands for all of them. */
export function isNeeded({ matrix }: Pick<PlanNeed, "matrix">, values: MatrixValues | null): boolean {
  return !matrix || values === null || hasValues(values, matrix);
}

function checkNames({ values, include }: MatrixLists): void {
  const names = new Set([...values.map(({ name }) => name), ...include.flatMap(Object.keys)]);
  if (names.size > limits.matrixNames)
    throw new MatrixProblem(
      `the matrix has ${names.size} names; at most ${limits.matrixNames} are allowed`,
      true,
    );
  const seen = new Map<string, string>();
  for (const name of names) {
    const same = seen.get(name.toUpperCase());
    if (same !== undefined)
      throw new MatrixProblem(
        `${quote(same)} and ${quote(name)} would both be CI_MATRIX_${name.toUpperCase()}`,
      );
    seen.set(name.toUpperCase(), name);
  }
}

function productOf({ values }: MatrixLists, limit: HeldLimit): MatrixValues[] {
  if (values.length === 0) return [];
  const size = values.reduce((product, { list }) => product * list.length, 1);
  if (size > limits.matrixProduct)
    throw new MatrixProblem(`the matrix has ${size} combinations; ${atMost(limit)}`, true);
  let product: MatrixValues[] = [{}];
  for (const { name, list } of values)
    product = product.flatMap((one) => list.map((value) => ({ ...one, [name]: value })));
  return product;
}

function withoutRepeated(combinations: readonly MatrixValues[]): MatrixValues[] {
  const seen = new Set<string>();
  return combinations.filter((one) => {
    const key = combinationKey(one);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The same for the same values, in whatever order. */
export function combinationKey(values: MatrixValues): string {
  return JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a combination of the job is called: its name, and the values unless the name says them itself. */
export function combinationName(name: string, values: MatrixValues | null): string {
  if (values === null || namesMatrix(name)) return name;
  const shown = Object.values(values).join(", ");
  return `${name} (${shown.length > 150 ? `${shown.slice(0, 149)}…` : shown})`;
}

function namesMatrix(name: string): boolean {
  return hasExpression(name) && /\$\{\{[^}]*\bmatrix\b/.test(name);
}
