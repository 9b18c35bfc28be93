/** Conditions with an answer in place of each part that nobody knows yet. Pure. */
import type { PlanClause, PlanOwnClause } from "@forgeline/schemas/pipeline-file/plan.ts";
import { parseExpression } from "./expression/parse.ts";
import { conditionSource } from "./template.ts";

/** `unknown`: names of contexts. Throws an `Error` where an expression cannot be read. */
export function assumeWhen(
  when: readonly PlanClause[],
  unknown: ReadonlySet<string>,
  answer: boolean,
): PlanClause[] {
  const own = <T extends PlanOwnClause>(clause: T): T => assumeOwn(clause, unknown, answer);
  return when.map(({ also, ...clause }) => ({
    ...own(clause),
    ...(also ? { also: also.map((list) => list.map(own)) } : {}),
  }));
}

function assumeOwn<T extends PlanOwnClause>(clause: T, unknown: ReadonlySet<string>, answer: boolean): T {
  const asksForMatrix = clause.matrix !== undefined && unknown.has("matrix");
  const asks = asksForMatrix || (clause.if !== undefined && asksFor(clause.if, unknown));
  if (!asks) return clause;
  // A known `if` beside an unknown matrix still counts.
  const condition = asksForMatrix && answer && !asksFor(clause.if ?? "true", unknown) ? clause.if : undefined;
  const { matrix: _matrix, ...rest } = clause;
  return { ...((asksForMatrix ? rest : clause) as T), if: condition ?? String(answer) };
}

function asksFor(condition: string, unknown: ReadonlySet<string>): boolean {
  const mentions = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return false;
    const { kind, name } = node as { kind?: unknown; name?: unknown };
    return (
      (kind === "name" && typeof name === "string" && unknown.has(name)) || Object.values(node).some(mentions)
    );
  };
  return mentions(parseExpression(conditionSource(condition).source));
}
