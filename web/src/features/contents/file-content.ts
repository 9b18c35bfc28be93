/** What the bytes of a file are, for people who look at it. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export interface TextFile {
  text: string;
  /** Whether a form can hold it without loss, so that it can be edited and saved. */
  isWhole: boolean;
}

const lookedAtBytes = 8_000;
const imageNames = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;
const markdownNames = /\.(?:md|markdown|mdown)$/i;
const readmeNames = /^readme(?:\.(?:md|markdown|mdown|txt|text|rst|adoc))?$/i;

export function isImageName(name: string): boolean {
  return imageNames.test(name);
}

export function isMarkdownName(name: string): boolean {
  return markdownNames.test(name);
}

/** Undefined for what is binary, or too large to come along. */
export function textOf(file: Pick<Schemas["FileContents"], "content">): TextFile | undefined {
  if (file.content === undefined) return undefined;
  const bytes = Uint8Array.from(atob(file.content), (char) => char.charCodeAt(0));
  if (bytes.subarray(0, lookedAtBytes).includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, isWhole: hasOneKindOfEnds(text) };
  } catch {
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), isWhole: false };
  }
}

/** Fields of forms know one kind of line ends; a file that mixes them would be changed in every line. */
function hasOneKindOfEnds(text: string): boolean {
  const withoutPairs = text.replaceAll("\r\n", "");
  if (withoutPairs.includes("\r")) return false;
  return withoutPairs.length === text.length || !withoutPairs.includes("\n");
}

/** UTF-8 as the API takes it. */
export function toBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The file that introduces a directory; one that can be rendered before others. */
export function readmeAmong(
  entries: readonly Schemas["ContentsEntry"][],
): Schemas["ContentsEntry"] | undefined {
  const readmes = entries.filter((entry) => entry.type === "file" && readmeNames.test(entry.name));
  return readmes.find((entry) => isMarkdownName(entry.name)) ?? readmes[0];
}
