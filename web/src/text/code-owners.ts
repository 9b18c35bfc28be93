/** Words of who owns files, and of the file that says so. */

export const text = {
  ownedBy: "Owned by",
  ownedInSection: (section: string) => `${section}: owned by`,
  ownedByNobody: "Owned by nobody",
  nobodyInSection: (section: string) => `${section}: owned by nobody`,
  more: (count: number) => `and ${count} more`,
  by: (file: string, line: number) => `${file}, line ${line}`,
  asked: (pattern: string) => `Because of the pattern ${pattern}`,
  error: "Error",
  errors: (count: number) =>
    count === 1
      ? "1 error: the line with it counts only in part, or not at all."
      : `${count} errors: the lines with them count only in part, or not at all.`,
  meant: (suggestion: string) => `Did you mean ${suggestion}?`,
  onlyFirst: (count: number) => `Only the first ${count} are shown.`,
  doesNotCount: (file: string) =>
    `This file does not count: ${file} says who owns the files of this repository.`,
} as const;
