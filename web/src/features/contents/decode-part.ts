/** A part of an address as it was meant; as it is where it was never encoded well. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
