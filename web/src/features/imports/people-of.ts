/** Who people there are here, from lines of the form `LOGIN = NAME`. */

export class PeopleProblem extends Error {
  readonly line: string;
  constructor(line: string) {
    super(line);
    this.name = "PeopleProblem";
    this.line = line;
  }
}

/** Throws `PeopleProblem`. */
export function peopleOf(lines: string): Record<string, string> {
  const pairs = lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [login = "", name = "", ...more] = line.split("=").map((part) => part.trim().replace(/^@/, ""));
      if (login === "" || name === "" || more.length > 0) throw new PeopleProblem(line);
      return [login, name] as const;
    });
  return Object.fromEntries(pairs);
}
