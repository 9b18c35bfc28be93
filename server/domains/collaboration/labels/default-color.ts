/** The color of a label whose maker names none. */
import { labelColors } from "@forgeline/schemas/labels/resource.ts";

/** The same for a name in whatever case. */
export function defaultColor(name: string): string {
  let sum = 0;
  for (const character of name.toLowerCase()) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return labelColors[sum % labelColors.length] ?? labelColors[0];
}
