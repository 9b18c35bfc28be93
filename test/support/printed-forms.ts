/** What must not be seen of a secret, told by encoding it between different neighbours, and not as the masker does it. */

/** Of values and of lines. */
export const shortest = 4;

export const base64 = (bytes: Buffer) => bytes.toString("base64");
export const base64Url = (bytes: Buffer) => base64(bytes).replaceAll("+", "-").replaceAll("/", "_");

/** The characters that are the same whatever stands before and behind, by where in a group of three bytes it begins. */
function alignedForms(secret: string, encode: (bytes: Buffer) => string): string[] {
  return [0, 1, 2].map((before) => {
    const [zeros, ones] = [0x00, 0xff].map((fill) =>
      encode(Buffer.concat([Buffer.alloc(before, fill), Buffer.from(secret), Buffer.alloc(3, fill)])),
    );
    return Array.from(zeros!)
      .filter((sign, at) => sign !== "=" && sign === ones![at])
      .join("");
  });
}

/** What a program may print of the secret, each as the row lists it. */
export function printedForms(secret: string): string[] {
  const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= shortest);
  return [
    secret,
    ...lines,
    ...[secret, ...lines].flatMap((text) => [
      ...alignedForms(text, base64),
      ...alignedForms(text, base64Url),
    ]),
    hex,
    hex.toUpperCase(),
    new URLSearchParams({ x: secret })
      .toString()
      .slice(2)
      .replaceAll("+", "%20")
      .replaceAll(/%(?:21|27|28|29|2A|7E)/g, (sign) => decodeURIComponent(sign)),
    JSON.stringify({ x: secret }).slice('{"x":"'.length, -'"}'.length),
    secret.split("'").join(`'\\''`),
  ];
}
