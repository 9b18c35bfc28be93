/** `Range` of a request (RFC 9110 14): one range of bytes, or none that we serve. */
export type RangeAnswer = { start: number; end: number } | "whole" | "unsatisfiable";

/** `end` is the first byte not wanted. Several ranges, other units and nonsense get the whole. */
export function parseByteRange(header: string | undefined, length: number): RangeAnswer {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const count = Math.min(Number(last), length);
    return count > 0 ? { start: length - count, end: length } : "unsatisfiable";
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= length) return "unsatisfiable";
  return { start, end: last === "" ? length : Math.min(Number(last) + 1, length) };
}
