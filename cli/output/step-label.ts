/** What a step is called before each of its lines. */

const maxLength = 40;

/** Its name, cut where it is long: a step without a name of its own is called by the first line of its script. Not safe to print. */
export function stepLabel(name: string): string {
  const characters = Array.from(name);
  return characters.length <= maxLength
    ? name
    : `${characters
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
}
