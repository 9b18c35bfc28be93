/** Draws badges. Pure; whatever text it is given, the picture is sound XML without anything that a browser would run. */

export type BadgeColour = keyof typeof colours;

/** White text on each of them has a contrast of at least 4.5. */
const colours = {
  green: "#2c7a39",
  yellow: "#8a6100",
  red: "#c0392b",
  blue: "#1f6fb5",
  grey: "#5c6570",
};

export interface Badge {
  label: string;
  text: string;
  colour: BadgeColour;
}

const maxLength = 60;
const padding = 6;
const height = 20;

/** The same text for the same badge. */
export function renderBadge(badge: Badge): string {
  const label = safe(badge.label);
  const text = safe(badge.text);
  const left = widthOf(label) + 2 * padding;
  const right = widthOf(text) + 2 * padding;
  const words = (of: string, x: number) =>
    `<text x="${x + padding}" y="14" textLength="${widthOf(of)}" lengthAdjust="spacingAndGlyphs">${of}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${label}: ${text}">`,
    `<title>${label}: ${text}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${height}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${height}" fill="#444b54"/>`,
    `<rect x="${left}" width="${right}" height="${height}" fill="${colours[badge.colour]}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">`,
    `${words(label, 0)}${words(text, left)}</g></svg>\n`,
  ].join("");
}

/** Cut, without what XML cannot hold or what turns text around, and with its special characters written as entities. */
function safe(text: string): string {
  const shown = Array.from(text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ""));
  const cut = shown.length > maxLength ? [...shown.slice(0, maxLength - 1), "…"] : shown;
  return cut.map((character) => entities[character] ?? character).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** About as wide as Verdana of 11 pixels; the picture stretches its text to exactly this. */
function widthOf(safeText: string): number {
  const text = safeText.replaceAll(/&(?:\w+|#\d+);/g, "m");
  const width = Array.from(text).reduce((sum, character) => sum + widthOfCharacter(character), 0);
  return Math.ceil(width);
}

function widthOfCharacter(character: string): number {
  if (/[ijl.,:;|' ]/.test(character)) return 3.8;
  if (/[frt()[\]-]/.test(character)) return 4.8;
  if (/[mwMW@%…]/.test(character)) return 10.5;
  if (/[A-Z]/.test(character)) return 7.8;
  return (character.codePointAt(0) ?? 0) < 0x2e80 ? 6.8 : 11;
}
