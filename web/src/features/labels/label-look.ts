/** How a label looks: the parts of its name, and an ink that can be read on its color. */

/** The scope and what stands behind it; null and the whole name where there is no scope. */
export function partsOf(name: string): [scope: string | null, rest: string] {
  const at = name.lastIndexOf("::");
  const scope = at > 0 ? name.slice(0, at).trimEnd() : "";
  const rest = name.slice(at + 2);
  return scope === "" || rest === "" ? [null, name] : [scope, rest];
}

/** White where it has 4.5:1 on these six hexadecimal digits, as people expect on strong colors; otherwise black, which then has more. */
export function inkOn(color: string): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => linear(color.slice(at, at + 2)));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= 4.5 ? "#ffffff" : "#000000";
}

/** As WCAG defines it. */
function linear(hex: string): number {
  const value = Number.parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
