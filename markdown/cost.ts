/** Which texts are shown as they were written, because reading them as Markdown would take too long. */

export const maxTextBytes = 256 * 1024;

export function isTooCostly(text: string): boolean {
  return text.length > maxTextBytes;
}
