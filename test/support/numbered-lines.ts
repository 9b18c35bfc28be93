/**
 * Lines that prove themselves, `L <id> <seq> <check>`: a shell script that prints them at a pace, and the judge that
 * finds what is missing, doubled or out of order in a log. `check` depends on id and number, so a line that was
 * garbled or glued together is not taken for a good one.
 */

export interface LineVerdict {
  lines: number;
  missing: number;
  doubled: number;
  outOfOrder: number;
  garbled: number;
  /** Highest number seen. */
  last: number;
}

/**
 * A step script for busybox: `count` lines, a pause of 50 ms after every `perPause` of them. All may be a shell's
 * words such as `"$COUNT"`.
 */
export function numberedLinesScript(
  id: number | string,
  count: number | string,
  perPause: number | string,
): string {
  return (
    `awk -v id=${id} -v count=${count} -v per=${perPause} 'BEGIN { for (i = 1; i <= count; i++) { ` +
    `printf "L %d %d %d\\n", id, i, (i * 7919 + id * 104729) % 65521; ` +
    `if (i % per == 0) { fflush(); system("sleep 0.05") } } }'`
  );
}

export function judgeLines(text: string, id: number, count: number): LineVerdict {
  const seen = new Set<number>();
  const verdict: LineVerdict = { lines: 0, missing: 0, doubled: 0, outOfOrder: 0, garbled: 0, last: 0 };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    verdict.lines++;
    const [, , number, check] = line.split(" ").map(Number);
    if (
      !line.startsWith(`L ${id} `) ||
      number === undefined ||
      check !== (number * 7919 + id * 104729) % 65521
    ) {
      verdict.garbled++;
      continue;
    }
    if (seen.has(number)) verdict.doubled++;
    else if (number < verdict.last) verdict.outOfOrder++;
    seen.add(number);
    verdict.last = Math.max(verdict.last, number);
  }
  verdict.missing = count - seen.size;
  return verdict;
}

/** What a log without any fault looks like. */
export function flawlessVerdict(count: number): LineVerdict {
  return { lines: count, missing: 0, doubled: 0, outOfOrder: 0, garbled: 0, last: count };
}
