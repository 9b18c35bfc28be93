/** The table at the end of `npm run hostile` and `npm run fuzz`. */
export interface AttackResult {
  name: string;
  isGood: boolean;
  seconds: number;
  /** Such as "commands: 100000". */
  counted: string[];
}

export function summary(results: readonly AttackResult[]): string {
  const rows = results.map(({ name, isGood, seconds, counted }) => [
    name,
    isGood ? "good" : "BAD",
    `${seconds.toFixed(0)} s`,
    counted.join("; "),
  ]);
  const cells = [["attack", "result", "time", "counted"], ["---", "---", "---", "---"], ...rows];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}
