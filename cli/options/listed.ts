/** Lists as options take them: separated by commas, with or without blanks; an option that is not given is an empty one. */
export function listed(text = ""): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
