/**
 * The cap of a log, in offsets. The masked file is sent live up to `headBytes`; what comes after is held until the
 * end is known. Then either all of it follows, or a marker line and the last `tailBytes`. So the stream that is
 * sent consists of parts, each a range of the masked file or the marker.
 */
export interface LogPart {
  /** Where the part begins in the stream that is sent. */
  start: number;
  length: number;
  /** Offset in the masked file of the part's first byte; null for the marker. */
  fileStart: number | null;
  /** Line number in the sent stream minus line number in the masked file. */
  lineShift: number;
}

export interface CapLimits {
  stepLogBytes: number;
  tailBytes: number;
}

export function liveBytes(limits: CapLimits): number {
  return Math.max(0, limits.stepLogBytes - limits.tailBytes);
}

/** Before the end is known. */
export function livePart(limits: CapLimits): LogPart[] {
  return [{ start: 0, length: liveBytes(limits), fileStart: 0, lineShift: 0 }];
}

export function wholePart(fileBytes: number): LogPart[] {
  return [{ start: 0, length: fileBytes, fileStart: 0, lineShift: 0 }];
}

export interface Gap {
  /** Place in the masked file where the head ends. */
  head: { masked: number; line: number; column: number };
  /** Place in the masked file where the tail begins, a line's beginning where there is one. */
  tail: { masked: number; line: number };
  fileBytes: number;
}

export function cappedParts(gap: Gap): { parts: LogPart[]; marker: Buffer; bytes: number; lines: number } {
  const bytes = gap.tail.masked - gap.head.masked;
  const lines = Math.max(0, gap.tail.line - gap.head.line - (gap.head.column > 0 ? 1 : 0));
  const text = `[forgeline: ${bytes} bytes, ${lines} lines left out; the log is over its limit]\n`;
  const marker = Buffer.from((gap.head.column > 0 ? "\n" : "") + text);
  const markerEnd = gap.head.masked + marker.length;
  const tailLine = gap.head.line + (gap.head.column > 0 ? 2 : 1);
  const parts: LogPart[] = [
    { start: 0, length: gap.head.masked, fileStart: 0, lineShift: 0 },
    { start: gap.head.masked, length: marker.length, fileStart: null, lineShift: 0 },
    {
      start: markerEnd,
      length: gap.fileBytes - gap.tail.masked,
      fileStart: gap.tail.masked,
      lineShift: tailLine - gap.tail.line,
    },
  ];
  return { parts, marker, bytes, lines };
}
