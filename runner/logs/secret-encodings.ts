/**
 * The byte patterns that stand for a secret value in a log: the value itself, each of its longer lines, base64 in
 * three alignments, hex, URL and JSON escapes, and the shell's single-quote escape. Masking itself is in `masker.ts`.
 */

/** Shorter values or lines would mask half the log. */
const shortestForm = 4;

/** All forms of all values, each once, longest first. Values below four characters are left out. */
export function secretEncodings(values: readonly string[]): Buffer[] {
  const texts = new Set<string>();
  for (const value of values) for (const text of formsOf(value)) texts.add(text);
  return [...texts]
    .filter((text) => text.length >= shortestForm)
    .map((text) => Buffer.from(text))
    .toSorted((a, b) => b.length - a.length);
}

function formsOf(value: string): string[] {
  if (value.length < shortestForm) return [];
  const bytes = Buffer.from(value);
  const lines = value.split(/\r?\n/).filter((line) => line.length >= shortestForm);
  return [
    value,
    ...lines,
    ...lines.flatMap((line) => base64Forms(Buffer.from(line))),
    ...base64Forms(bytes),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    encodeURIComponent(value.toWellFormed()),
    JSON.stringify(value).slice(1, -1),
    value.replaceAll("'", `'\\''`),
  ];
}

/** The characters of base64 that depend on the value alone, wherever it is in the encoded text. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
