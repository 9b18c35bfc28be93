/** The color of a label whose maker names none. */

/** Readable with dark or light text, and told apart from each other. */
const palette = [
  "d73a4a",
  "e99695",
  "d93f0b",
  "fbca04",
  "fef2c0",
  "0e8a16",
  "a2eeef",
  "006b75",
  "1d76db",
  "c5def5",
  "5319e7",
  "d876e3",
] as const;

/** The same for a name in whatever case. */
export function defaultColor(name: string): string {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return palette[sum % palette.length] ?? palette[0];
}
